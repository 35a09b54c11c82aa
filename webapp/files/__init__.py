"""Packs that are kept in a store, so that hosts without a shared disk have them."""
