"""Methods that translate a request and then search by symbols: `ttg` and `nesy` (TripScore, appendix D.2)."""
