"""Verifies embed tokens at a backend, and asks the service whether they are still good. Needs pip install "pyjwt[crypto]>=2.14,<3"."""

import time
import urllib.error
import urllib.request

import jwt


class TokenRefused(Exception):
    """The token is not valid, or the service says that it is not good any more. Answer 401."""


class KeySet(jwt.PyJWKClient):
    """Reads the key set every five minutes. While the service does not answer, the last one counts, for as long as tokens live."""

    longest_life = 24 * 3600
    last = None

    def __init__(self, uri):
        # Without the cooldown, which came with PyJWT 2.14, each forged token would have the key set read again.
        super().__init__(uri, lifespan=300, timeout=10, cooldown_duration=30)

    def fetch_data(self):
        try:
            self.last = (time.monotonic(), super().fetch_data())
        except jwt.PyJWKClientConnectionError:
            if self.last is None or time.monotonic() - self.last[0] > self.longest_life:
                raise
            self.jwk_set_cache.put(self.last[1])
        return self.last[1]


class Verifier:
    """Keeps the key set, and each answer of the service for `every_seconds`. Without those it asks nothing."""

    def __init__(self, issuer, audience, account_id, every_seconds=None, api_url=None):
        self.api_url = api_url or issuer
        self.issuer, self.audience, self.account_id = issuer, audience, account_id
        self.every_seconds = every_seconds
        self.key_set = KeySet(f"{self.api_url}/.well-known/jwks.json")
        self.answers = {}

    def verify(self, token):
        """The claims of a token. Raises TokenRefused. Raises another error while the service can't be asked: refuse then too."""
        try:
            claims = self._signed_claims(token)
        except jwt.PyJWKClientConnectionError:
            raise
        except jwt.PyJWTError as error:
            raise TokenRefused(str(error)) from error
        # All accounts share issuer and keys.
        if claims.get("accountId") != self.account_id:
            raise TokenRefused("The token is of another account.")
        if self.every_seconds is not None and not self._is_still_good(token):
            raise TokenRefused("The token was revoked.")
        return claims

    def _signed_claims(self, token):
        if jwt.get_unverified_header(token).get("typ") != "embed+jwt":
            raise jwt.InvalidTokenError("This is not an embed token.")
        key = self.key_set.get_signing_key_from_jwt(token).key
        required = {"require": ["iss", "aud", "exp", "sub"]}
        return jwt.decode(token, key, ["ES256"], required, issuer=self.issuer, audience=self.audience)

    def _is_still_good(self, token):
        asked_at, is_good = self.answers.get(token, (0, False))
        now = time.monotonic()
        if token in self.answers and now - asked_at < self.every_seconds:
            return is_good
        is_good = self._ask(token)
        if len(self.answers) >= 10_000:
            self.answers.clear()
        self.answers[token] = (now, is_good)
        return is_good

    def _ask(self, token):
        request = urllib.request.Request(f"{self.api_url}/api/v1/embed/session", headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request, timeout=10):
                return True
        except urllib.error.HTTPError as error:
            if error.code == 401:
                return False
            raise
