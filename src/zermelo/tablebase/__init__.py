"""Tablebases: solved positions on disk or in memory."""
