"""What the pages say about the data of GroupTravelBench, in words that can be translated."""
