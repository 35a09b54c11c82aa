"""Spans of OpenTelemetry, for receivers that `OTEL_EXPORTER_OTLP_ENDPOINT` names."""
