"""Instance files (TOML) that come with ktsolve."""
