"""The suite bundle: everything a suite consists of, in one archive that another instance reads back."""
