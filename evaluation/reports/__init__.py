"""Results as documents: tables, HTML, PDF, LaTeX, CSV, JUnit, and rules a build can fail on. No Django."""
