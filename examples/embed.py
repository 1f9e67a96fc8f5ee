"""The whole flow in Python, standard library alone: generate a session, redeem it, be refused the second time, page
through a list. Against npm start as it is; elsewhere set API_URL and API_KEY."""

import base64
import json
import os
import urllib.error
import urllib.parse
import urllib.request

API_URL = os.environ.get("API_URL", "http://127.0.0.1:8787")
API_KEY = os.environ.get("API_KEY", "sk-demo-harborline-admin")


class ApiError(Exception):
    """What the service refused. `code` is None where API Gateway refused by itself."""

    def __init__(self, status, problem):
        super().__init__(problem.get("message", f"The service answered {status}."))
        self.status = status
        self.code = problem.get("code")
        self.errors = problem.get("errors", [])
        self.request_id = problem.get("requestId")


def call(method, path, body=None, key=None):
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API_URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        text = error.read()
        try:
            problem = json.loads(text)
        except ValueError:
            problem = {}
        raise ApiError(error.code, problem) from None


def items(path, **query):
    """Every item of a list, page after page."""
    while True:
        page = call("GET", f"{path}?{urllib.parse.urlencode(query)}", key=API_KEY)
        yield from page["items"]
        if not page["pageInfo"]["hasNextPage"]:
            return
        query["after"] = page["pageInfo"]["endCursor"]


def claims_of(token):
    """What a token says. This does not verify it: for that, use a JWT library and /.well-known/jwks.json."""
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def main():
    # At the backend.
    end_user = {"deploymentId": 1001, "embedTenantName": "alder-oak", "externalId": "user-1"}
    session = call("POST", "/api/v1/embed/generate-session", end_user, key=API_KEY)

    # In the browser: the session id is the credential.
    redeemed = call("POST", "/api/v1/embed/session/token", session)
    print("token for", claims_of(redeemed["token"])["sub"], "valid for", redeemed["expiresIn"], "seconds")

    try:
        call("POST", "/api/v1/embed/session/token", session)
    except ApiError as refusal:
        print("second time:", refusal.status, refusal.code)

    tenant = "/api/v1/deployments/1001/embed-tenants/alder-oak/workbooks"
    print("workbooks:", sum(1 for _ in items(tenant, first=50)))
    print("failed dbt syncs:", sum(1 for _ in items("/api/v1/deployments/1001/dbt-sync", status="FAILED", first=10)))
    print("notifications:", sum(1 for _ in items("/api/v1/deployments/1001/notifications")))

    call("POST", "/api/v1/embed/session/revoke", session, key=API_KEY)
    print("revoked")


if __name__ == "__main__":
    main()
