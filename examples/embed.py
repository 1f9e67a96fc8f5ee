"""The whole flow in Python: generate a session, redeem it, verify the token, be refused the second time, read the
lists, and be refused once the session was revoked.

Verification needs PyJWT: pip install -r examples/requirements.txt. The rest is the standard library.
Without settings it calls `npm start` on this machine. For another service with the demo catalog, set API_URL
and API_KEY, and ISSUER if the service has one other than its address."""

import gzip
import json
import os
import urllib.error
import urllib.parse
import urllib.request

from verifier import TokenRefused, Verifier

API_URL = os.environ.get("API_URL", "http://127.0.0.1:8787").rstrip("/")
API_KEY = os.environ.get("API_KEY", "sk-demo-harborline-admin")
ISSUER = os.environ.get("ISSUER", API_URL)

# It asks about each token every time. A backend that gets many requests would ask every 30 seconds or so.
VERIFIER = Verifier(ISSUER, ISSUER, "harborline", every_seconds=0, api_url=API_URL)


class ApiError(Exception):
    """The service refused a call. `code` is None if API Gateway itself refused it."""

    def __init__(self, status, problem):
        super().__init__(problem.get("message", f"The service answered {status}."))
        self.status = status
        self.code = problem.get("code")
        self.errors = problem.get("errors", [])
        self.request_id = problem.get("requestId")


def call(method, path, body=None, key=None):
    # A page is then a fifth of the bytes.
    headers = {"Accept-Encoding": "gzip"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if key:
        headers["Authorization"] = f"Bearer {key}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API_URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            answer = response.read()
            if response.headers["Content-Encoding"] == "gzip":
                answer = gzip.decompress(answer)
            return json.loads(answer or "null")
    except urllib.error.HTTPError as error:
        text = error.read()
        try:
            problem = json.loads(text)
        except ValueError:
            problem = {}
        raise ApiError(error.code, problem) from None
    except urllib.error.URLError as error:
        raise SystemExit(f"Nothing answers at {API_URL} ({error.reason}). Start the service with npm start.") from None


def items(path, **query):
    """Every item of a list, page after page."""
    while True:
        page = call("GET", f"{path}?{urllib.parse.urlencode(query)}", key=API_KEY)
        yield from page["items"]
        if not page["pageInfo"]["hasNextPage"]:
            return
        query["after"] = page["pageInfo"]["endCursor"]


def main():
    # At the backend.
    end_user = {"deploymentId": 1001, "embedTenantName": "alder-oak", "externalId": "user-1"}
    session = call("POST", "/api/v1/embed/generate-session", end_user, key=API_KEY)

    # In the browser: the session id is the credential.
    redeemed = call("POST", "/api/v1/embed/session/token", session)
    print("token for", VERIFIER.verify(redeemed["token"])["sub"], "valid for", redeemed["expiresIn"], "seconds")

    try:
        call("POST", "/api/v1/embed/session/token", session)
    except ApiError as refusal:
        print("second time:", refusal.status, refusal.code)

    tenant = "/api/v1/deployments/1001/embed-tenants/alder-oak/workbooks"
    print("workbooks:", sum(1 for _ in items(tenant, first=50)))
    print("failed dbt syncs:", sum(1 for _ in items("/api/v1/deployments/1001/dbt-sync", status="FAILED", first=10)))
    print("notifications:", sum(1 for _ in items("/api/v1/deployments/1001/notifications")))

    call("POST", "/api/v1/embed/session/revoke", session, key=API_KEY)
    try:
        VERIFIER.verify(redeemed["token"])
    except TokenRefused as refusal:
        print(refusal)


if __name__ == "__main__":
    main()
