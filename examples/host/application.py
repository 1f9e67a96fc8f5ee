"""The same host application in Python, with the standard library alone: python3 examples/host/application.py

It embeds the page that `npm run example -- --only platform` serves, at the next port. For another service with the
demo catalog than that of `npm start`, set API_URL and API_KEY."""

import argparse
import contextlib
import html
import http.client
import http.server
import json
import os
import pathlib
import secrets
import urllib.error
import urllib.parse
import urllib.request

API_URL = os.environ.get("API_URL", "http://127.0.0.1:8787").rstrip("/")
API_KEY = os.environ.get("API_KEY", "sk-demo-harborline-admin")
HERE = pathlib.Path(__file__).parent

# The people who can log in. A real host asks for a password. Where they belong comes from its own data, never from a request.
PEOPLE = {
    "mara": {"name": "Mara Lindgren", "embedTenantName": "alder-oak"},
    "jon": {"name": "Jon Bergström", "embedTenantName": "fjordhus"},
}
FILES = {
    # `npm run example` makes it.
    "/embed-frame.js": (HERE / "../../client/dist/bundle/embed-frame.js", "text/javascript"),
    "/style.css": (HERE / "style.css", "text/css"),
    "/icon.svg": (HERE / "icon.svg", "image/svg+xml"),
}

# Who is logged in, by the value of the cookie: a name of PEOPLE, and the sessions that were made for them.
logins = {}


def call(path, body):
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    request = urllib.request.Request(API_URL + path, json.dumps(body).encode(), headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=15) as response:
            return json.loads(response.read() or "null")
    except (ValueError, http.client.HTTPException) as error:
        raise OSError(f"this is no answer of the service: {error}") from error


class Application(http.server.BaseHTTPRequestHandler):
    @property
    def cookie(self):
        # http.cookies would read no cookie at all if another application has set an unusual one.
        pairs = (pair.strip().partition("=") for pair in self.headers.get("Cookie", "").split(";"))
        return next((value for name, _, value in pairs if name == "login"), "")

    def do_GET(self):
        login = logins.get(self.cookie)
        if self.path in FILES:
            file, content_type = FILES[self.path]
            self.answer(200, content_type, file.read_bytes())
        elif self.path != "/":
            self.answer(404)
        elif not login:
            self.answer(200, "text/html; charset=utf-8", (HERE / "login.html").read_bytes())
        else:
            page = (HERE / "application.html").read_text(encoding="utf-8")
            page = page.replace("{name}", html.escape(PEOPLE[login["person"]]["name"])).replace("{embedded}", EMBEDDED)
            self.answer(200, "text/html; charset=utf-8", page.encode())

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode(errors="replace"))
        # A page of another origin could send a form with the cookie. It can't send our origin.
        if self.headers.get("Origin") != ORIGIN:
            return self.answer(403)
        try:
            {"/login": self.log_in, "/session": self.new_session, "/logout": self.log_out}[self.path](form)
        except KeyError:
            self.answer(404)
        except urllib.error.HTTPError as error:
            print(f"{error.code}: {error.read().decode(errors='replace')}")
            self.answer(502)
        except OSError as error:
            print(f"The service does not answer: {error}")
            self.answer(502)

    def log_in(self, form):
        person = form.get("person", [""])[0]
        if person not in PEOPLE:
            return self.answer(403)
        self.end_login()  # The new cookie takes the place of one that another tab may have.
        cookie = secrets.token_urlsafe(32)
        logins[cookie] = {"person": person, "sessions": []}
        self.to_start(cookie, 8 * 3600)

    # The embedded page asks for a session at its start, and before its token ends. Each time the login is checked.
    def new_session(self, _form):
        login = logins.get(self.cookie)
        if not login:
            return self.answer(403)
        person = PEOPLE[login["person"]]
        session = call(
            "/api/v1/embed/generate-session",
            {
                "deploymentId": 1001,
                "embedTenantName": person["embedTenantName"],
                "externalId": login["person"],
                "userProfile": {"displayName": person["name"]},
            },
        )
        login["sessions"].append(session["sessionId"])
        if logins.get(self.cookie) is not login:  # The person has logged out meanwhile.
            call("/api/v1/embed/session/revoke", session)
            return self.answer(403)
        self.answer(200, "application/json", json.dumps(session).encode())

    def log_out(self, _form):
        self.end_login()
        self.to_start("", 0)

    def end_login(self):
        failed = None
        # The loop also comes to sessions that are made meanwhile.
        for session_id in logins.get(self.cookie, {"sessions": []})["sessions"]:
            try:
                call("/api/v1/embed/session/revoke", {"sessionId": session_id})
            except OSError as error:
                failed = error  # The others are revoked all the same.
        if failed:
            raise failed  # The login stays, so that the person can log out again.
        logins.pop(self.cookie, None)

    def to_start(self, cookie, seconds):
        value = f"login={cookie}; HttpOnly; SameSite=Lax; Path=/; Max-Age={seconds}"
        self.answer(303, headers={"Location": "/", "Set-Cookie": value})

    def answer(self, status, content_type=None, body=b"", headers=None):
        self.send_response(status)
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(body)))
        for name, value in {**({"Content-Type": content_type} if content_type else {}), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


parser = argparse.ArgumentParser(description="A host application in Python.")
parser.add_argument("--port", type=int, default=3000, help="its port; the platform has the next one (default: 3000)")
port = parser.parse_args().port
if not 0 < port < 65_535:
    parser.error(f"argument --port: must be a number from 1 to 65534, not {port}")
ORIGIN, EMBEDDED = (f"http://127.0.0.1:{each}" for each in (port, port + 1))
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    f"frame-src {EMBEDDED}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
try:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Application)
except OSError:
    raise SystemExit(f"Port {port} is taken. Another one: --port {port + 100}") from None
print(f"The host application is at {ORIGIN}.", flush=True)
with contextlib.suppress(KeyboardInterrupt):
    server.serve_forever()
