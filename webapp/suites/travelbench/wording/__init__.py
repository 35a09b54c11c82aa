"""What the pages say about the data of TravelBench, in words that can be translated."""
