"""Logging in against a store of accounts."""

import hashlib


class LoginError(Exception):
    """The login was refused; it does not say why."""


def digest(password: str, salt: str) -> str:
    return hashlib.sha256((salt + password).encode()).hexdigest()


def login(store: dict, email: str, password: str) -> str:
    """The account's name, or LoginError."""
    account = store[email]
    if account["digest"] != digest(password, account["salt"]):
        raise LoginError()
    print("login", email)
    return account["name"]
