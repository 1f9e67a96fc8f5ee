#!/usr/bin/env bash
# The whole flow with curl: generate a session, redeem it, be refused the second time, use the lists.
# It calls npm start on this machine. For another service, set API_URL, API_KEY, DEPLOYMENT and TENANT.
set -euo pipefail
api=${API_URL:-http://127.0.0.1:8787}
api=${api%/}
key=${API_KEY:-sk-demo-harborline-admin}
deployment=${DEPLOYMENT:-1001}
tenant=${TENANT:-alder-oak}

# curl reads the key from a file: other processes can see the arguments of a program.
auth=$(mktemp)
trap 'rm -f "$auth"' EXIT
printf 'Authorization: Bearer %s' "$key" > "$auth"

# Takes a string field out of a flat JSON object.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
post() { curl --silent --show-error "$api$1" --header 'Content-Type: application/json' "${@:2}"; }
# The beginning of a list's answer.
list() {
  local answer
  answer=$(curl --silent --show-error --fail-with-body --compressed "$api/api/v1/deployments/$deployment/$1" --header "@$auth")
  echo "${answer:0:200}…"
}

echo '# At the backend: what a session would contain, without making one'
request="{\"deploymentId\": $deployment, \"embedTenantName\": \"$tenant\", \"externalId\": \"user-1\"}"
post '/api/v1/embed/generate-session?dryRun=true' --fail-with-body --header "@$auth" --data "$request"; echo

echo '# At the backend: a session'
session=$(post /api/v1/embed/generate-session --fail-with-body --header "@$auth" --data "$request" | field sessionId)
echo "$session"

echo '# In the browser: redeemed, once, without a key'
token=$(post /api/v1/embed/session/token --fail-with-body --data "{\"sessionId\": \"$session\"}" | field token)
echo "${token:0:40}…"

echo '# The second time it is refused'
status=$(post /api/v1/embed/session/token --data "{\"sessionId\": \"$session\"}" --output /dev/null --write-out '%{http_code}')
echo "$status"
[ "$status" = 401 ]

echo '# What the embed tenant sees, failed dbt syncs, notifications'
list "embed-tenants/$tenant/workbooks?first=1"
list 'dbt-sync?status=FAILED&first=1'
list 'notifications?first=1'

echo '# Revoked: the token is refused from now on'
post /api/v1/embed/session/revoke --fail-with-body --header "@$auth" --data "{\"sessionId\": \"$session\"}" --write-out '%{http_code}\n'
