import { fileURLToPath } from 'node:url'
import { apiKeyKey, hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { getItem } from '@embed-access/core/storage/get-item.ts'
import { isLive } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { demoKeys } from './keys.ts'

export const demoCatalogFile = fileURLToPath(new URL('catalog.ndjson', import.meta.url))

type Sync = { status?: string; phases?: readonly { durationMs: number }[] }

/** Gives a running sync a start as long ago as its phases took, plus 40 s. */
export function startedLately(change: unknown, now: number): unknown {
  const { data } = change as { data: Sync }
  if (data.status !== 'RUNNING') return change
  const took = (data.phases ?? []).reduce((sum, { durationMs }) => sum + durationMs, 40_000)
  return { ...(change as object), data: { ...data, startedAt: new Date(now - took).toISOString() } }
}

/** Whether the catalog in the tables is the demo's, whatever else it holds. */
export async function hasDemo(storage: Storage): Promise<boolean> {
  return isLive(await getItem(storage, 'credentials', apiKeyKey(hashOfApiKey(demoKeys.admin))))
}

/** Without comments: zsh at a terminal takes them for commands. */
export const firstCalls = (url: string): string => `
The demo catalog's admin key (public, for trying out only): ${demoKeys.admin}
Paste this into another shell:

base=${url}
auth='Authorization: Bearer ${demoKeys.admin}'
json='Content-Type: application/json'

echo '# Generate a session for an end user of the embed tenant alder-oak, and keep its id'
session=$(curl -sS "$base/api/v1/embed/generate-session" -H "$auth" -H "$json" \\
  -d '{"deploymentId": 1001, "embedTenantName": "alder-oak", "externalId": "user-1"}')
echo "$session"

echo '# Redeem it, which works once; the second time is a 401'
curl -sS -w '\\n%{http_code}\\n' "$base/api/v1/embed/session/token" -H "$json" -d "$session"
curl -sS -w '\\n%{http_code}\\n' "$base/api/v1/embed/session/token" -H "$json" -d "$session"

echo '# The three lists, and the keys that verify tokens'
curl -sS --compressed "$base/api/v1/deployments/1001/embed-tenants/alder-oak/workbooks?first=2" \\
  -H "$auth" -w '\\n'
curl -sS --compressed "$base/api/v1/deployments/1001/dbt-sync?status=FAILED&first=2" \\
  -H "$auth" -w '\\n'
curl -sS --compressed "$base/api/v1/deployments/1001/notifications?first=2" -H "$auth" -w '\\n'
curl -sS -w '\\n' "$base/.well-known/jwks.json"
`
