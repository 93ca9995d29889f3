"""The census: long counts split into jobs, kept in a ledger, checked and audited when they are done."""
