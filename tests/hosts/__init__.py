"""Caravan on several hosts, by docs/deploy.md: each is a network namespace of this machine (`make test-hosts`)."""
