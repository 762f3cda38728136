"""Renderers that turn one sample source into web page, XML, plain text and PDF."""
