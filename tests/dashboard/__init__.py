"""The Grafana dashboard, asked of a real Prometheus: `python -m tests.dashboard URL` (docs/development.md)."""
