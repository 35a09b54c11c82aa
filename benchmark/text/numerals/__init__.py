"""Numbers as people write them, in figures or words: Chinese, English, and either of them in one text."""
