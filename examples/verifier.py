"""Verifies embed tokens at a backend, and asks the service whether they are still good. Needs pip install "pyjwt[crypto]>=2.14,<3"."""

import base64
import hashlib
import http.client
import json
import threading
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
            keys = super().fetch_data()
            jwt.PyJWKSet.from_dict(keys)
            self.last = (time.monotonic(), keys)
        except (jwt.PyJWKClientError, jwt.PyJWKSetError, OSError, ValueError) as error:
            if self.last is None or time.monotonic() - self.last[0] > self.longest_life:
                raise jwt.PyJWKClientConnectionError(str(error)) from error
            self.jwk_set_cache.put(self.last[1])
        return self.last[1]


class RevocationsUnknown(Exception):
    """Nobody knows what is revoked. Refuse the request, but not with 401."""


class Revocations:
    """The document of revocations. After 15 seconds, the next `tell` reads it again. Other calls use the last one meanwhile."""

    def __init__(self, url, issuer, key_set):
        self.url, self.issuer, self.key_set = url, issuer, key_set
        self.document, self.read_at, self.tried_at, self.lock = None, None, None, threading.Lock()

    def tell(self, claims):
        """Whether a token is revoked; None if the document does not name all. Raises RevocationsUnknown if it is older than five minutes and does not name the token."""
        # Without a document that still counts nobody can go on, so all wait for the next one.
        if (self._is_stale() or self._is_due()) and self.lock.acquire(blocking=self._is_stale()):
            try:
                if self._is_due():
                    self._read()
            finally:
                self.lock.release()
        if self.document is None:
            raise RevocationsUnknown("The revocations could not be read yet.")
        at = claims.get("mintedBy", {}).get("at", 0)
        if any(self.document["revoked"].get(each, -1) >= at for each in hashes_of(claims)):
            return True
        if self._is_stale():
            raise RevocationsUnknown("The revocations are older than five minutes.")
        return False if self.document["complete"] is True else None

    def _is_stale(self):
        return self.document is None or time.monotonic() - self.read_at >= 300

    def _is_due(self):
        return self.tried_at is None or time.monotonic() - self.tried_at >= (1 if self.document is None else 15)

    def _read(self):
        self.tried_at = time.monotonic()
        try:
            with urllib.request.urlopen(self.url, timeout=3) as response:
                signed = response.read().decode()
            if jwt.get_unverified_header(signed).get("typ") != "embed-revocations+jwt":
                raise jwt.InvalidTokenError("This is no document of revocations.")
            key = self.key_set.get_signing_key_from_jwt(signed).key
            # The clock of this computer may be behind.
            options = {"require": ["iss", "iat", "exp", "revoked"], "verify_iat": False}
            document = jwt.decode(signed, key, ["ES256"], options, issuer=self.issuer)
        except (OSError, ValueError, http.client.HTTPException, jwt.PyJWTError):
            return
        if self.document is None or document["iat"] >= self.document["iat"]:
            self.document, self.read_at = document, self.tried_at


def hashes_of(claims):
    """The hashes of all by which a token can be revoked (docs/verify-a-token.md#revocations)."""
    token, here = ["token", claims["jti"]], ["deployment", claims["deploymentId"]]
    scoped, others = [token], [["gone", "account"], ["gone", *here]]
    if "userId" in claims:
        others.append(["gone", "user", claims["userId"]])
    if "mintedBy" in claims:
        user, key = ["user", claims["mintedBy"]["userId"]], claims["mintedBy"].get("key")
        minter = user if key is None else ["key", key]
        others += [["minter", *user], ["minter", *minter], [*token, *minter]]
    if "embedTenantName" in claims:
        tenant = claims["embedTenantName"]
        scoped.append(["tenant", tenant])
        if "externalId" in claims:
            scoped.append(["user", tenant, hashlib.sha256(claims["externalId"].encode()).hexdigest()])
    parts = others + scoped + [[*each, *here] for each in scoped]
    return [hash_of("#".join(escaped(part) for part in [claims["accountId"], *each])) for each in parts]


def escaped(part):
    return str(part).replace("%", "%25").replace("#", "%23")


def hash_of(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()[:16]).decode().rstrip("=")


class Verifier:
    """Keeps the key set. With `revocations` it follows the document of revocations, and asks the service where that does not name all, or, with
    `on_stale="ask"`, is too old. With `every_seconds` it asks about each token, and keeps each answer for so long."""

    def __init__(self, issuer, audience, account_id, every_seconds=None, api_url=None, revocations=False, on_stale="refuse"):
        self.api_url = api_url or issuer
        self.issuer, self.audience, self.account_id = issuer, audience, account_id
        self.every_seconds = every_seconds
        self.key_set = KeySet(f"{self.api_url}/.well-known/jwks.json")
        self.revocations = Revocations(f"{self.api_url}/.well-known/embed-revocations", issuer, self.key_set) if revocations else None
        self.on_stale = on_stale
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
        if self._must_ask(claims) and not self._is_still_good(token):
            raise TokenRefused("The token was revoked.")
        return claims

    def _must_ask(self, claims):
        known = False
        if self.revocations:
            try:
                known = self.revocations.tell(claims)
            except RevocationsUnknown:
                if self.on_stale != "ask":
                    raise
                known = None
        if known:
            raise TokenRefused("The token was revoked.")
        return known is None or self.every_seconds is not None

    def _signed_claims(self, token):
        if jwt.get_unverified_header(token).get("typ") != "embed+jwt":
            raise jwt.InvalidTokenError("This is not an embed token.")
        key = self.key_set.get_signing_key_from_jwt(token).key
        required = {"require": ["iss", "aud", "exp", "sub"]}
        # The clock of this computer may be behind.
        claims = jwt.decode(token, key, ["ES256"], required, issuer=self.issuer, audience=self.audience, leeway=30)
        if claims["exp"] <= time.time():
            raise jwt.ExpiredSignatureError("The token has expired.")
        return claims

    def _is_still_good(self, token):
        asked_at, is_good = self.answers.get(token, (0, False))
        now = time.monotonic()
        kept_seconds = 15 if self.every_seconds is None else self.every_seconds
        if token in self.answers and now - asked_at < kept_seconds:
            return is_good
        is_good = self._ask(token)
        if len(self.answers) >= 10_000:
            self.answers.clear()
        self.answers[token] = (now, is_good)
        return is_good

    def _ask(self, token):
        request = urllib.request.Request(f"{self.api_url}/api/v1/embed/session", headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                if "claims" in json.load(response):
                    return True
                raise OSError("This is no answer of the service.")  # It may be of a proxy.
        except urllib.error.HTTPError as error:
            if error.code == 401:
                return False
            raise
