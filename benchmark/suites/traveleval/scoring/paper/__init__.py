"""Profile `paper`: the rules of the paper where the published program has others (appendix A.1)."""
