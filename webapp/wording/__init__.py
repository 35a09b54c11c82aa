"""What the product says about its own data, in words that can be translated."""
