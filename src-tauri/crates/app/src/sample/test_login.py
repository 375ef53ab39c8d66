import sys
import unittest

sys.path.insert(0, ".")

from gatehouse.login import LoginError, digest, login

STORE = {"ann@example.org": {"name": "Ann", "salt": "s", "digest": digest("secret", "s")}}


class LoginTest(unittest.TestCase):
    def test_the_right_password(self):
        self.assertEqual(login(STORE, "ann@example.org", "secret"), "Ann")

    def test_a_wrong_password(self):
        with self.assertRaises(LoginError):
            login(STORE, "ann@example.org", "guess")
