import { fileURLToPath } from 'node:url'
import { apiKeyWithChange } from '@embed-access/core/access/api-key.ts'
import { usersByLogin } from '@embed-access/core/access/user.ts'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { explainInCatalog } from '@embed-access/core/catalog/explain.ts'
import { lowerCase } from '@embed-access/core/schema.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type HonoRequest } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { readAccounts, readAccountThings, readThings } from './accounts.ts'
import { embeddedAt } from './embedded-page.ts'
import { sentencesOf } from './explanation-sentences.ts'
import { pageHeaders } from './local-app.ts'
import type { RecentRequest } from './playground/api.ts'
import { script } from './script.ts'

/**
 * Allows scripts, styles and calls of this server alone, no inline code, no markup made from text,
 * and only the example's page in a frame.
 */
const headers = pageHeaders((c) => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  `frame-src ${embeddedAt(c)}`,
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
])

const file = serveStatic({
  root: fileURLToPath(new URL('playground', import.meta.url)),
  rewriteRequestPath: (path) => path.replace(/^\/playground/, ''),
})

/**
 * The playground at `/`, and data for it alone. It needs no key: on this machine a key would
 * protect nothing.
 */
export const playgroundPages = (
  storage: Storage,
  now: () => number,
  requests: () => readonly RecentRequest[] = () => [],
) =>
  new Hono()
    .get('/', headers, file)
    .get('/playground/:file{\\w+\\.(css|svg)}', headers, file)
    .get('/playground/main.js', headers, script('local/playground/app.tsx'))
    .get('/playground/accounts.json', headers, async (c) => c.json(await readAccounts(storage)))
    .get('/playground/account.json', headers, async ({ req, json }) =>
      json(await readAccountThings(storage, text(req, 'account'))),
    )
    .get('/playground/things.json', headers, async ({ req, json }) =>
      json(
        await readThings(storage, text(req, 'account'), integer(req, 'deployment'), cursor(req)),
      ),
    )
    .get('/playground/explain.json', headers, async ({ req, json }) => {
      const workbook = integer(req, 'workbook')
      const tenant = lowerCase(text(req, 'tenant'))
      const deployment = integer(req, 'deployment')
      const explanation = await explainInCatalog(storage, deployment, tenant, workbook)
      return json({ ...explanation, facts: sentencesOf(explanation) })
    })
    .get('/playground/requests.json', headers, ({ json }) => json(requests()))
    .post('/playground/key.json', headers, async ({ req, json, notFound }) => {
      // A browser names the page that sends a POST.
      if (req.header('origin') !== `http://${req.header('host')}`) return notFound()
      return json({ key: await makeKey(storage, text(req, 'account'), text(req, 'user'), now()) })
    })

/**
 * Makes an API key that ends after a day, for the playground.
 * @param login the user's name or e-mail address
 * @returns the key. Only its hash is stored
 * @throws HTTPException that says why it makes no key
 */
async function makeKey(storage: Storage, accountId: string, login: string, now: number) {
  const [user, another] = await usersByLogin(storage, accountId, login, ['username', 'email'])
  if (!user) throw refusal(`The account has no user ${login}.`)
  if (another) throw refusal(`Several users of the account are called ${login}.`)
  const { apiKey, change } = apiKeyWithChange({
    accountId,
    userId: user.id,
    name: 'made in the playground',
    expiresAt: new Date(now + 24 * 3_600_000).toISOString(),
  })
  const [result] = await catalogWriter(storage, { now: () => now })([change])
  if (result?.outcome !== 'applied') throw refusal('The key could not be stored. Try it again.')
  return apiKey
}

const refusal = (message: string) => new HTTPException(400, { message })

function text(req: HonoRequest, name: string): string {
  const value = req.query(name)?.trim()
  if (!value) throw refusal(`${name} is missing.`)
  return value
}

function integer(req: HonoRequest, name: string): number {
  const value = text(req, name)
  if (!/^\d{1,16}$/.test(value) || !Number.isSafeInteger(Number(value)))
    throw refusal(`${name} must be an integer.`)
  return Number(value)
}

function cursor(req: HonoRequest): Record<string, unknown> | undefined {
  const after = req.query('after')
  try {
    return after === undefined ? undefined : JSON.parse(Buffer.from(after, 'base64url').toString())
  } catch {
    throw refusal('after is none of the cursors that were given.')
  }
}
