"""The rooms of benchmarks: what each brings to the pages (`webapp.pages`)."""
