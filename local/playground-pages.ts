import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { explain } from './access-path.ts'
import { readAccounts, readAccountThings, readThings } from './directory.ts'
import { makeKey } from './make-key.ts'
import { type Page, type Pages, RefusedCall } from './pages.ts'

const folder = new URL('playground/', import.meta.url)

/** Scripts, styles and calls of this server and nothing else; no inline code, no markup made from text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** At each request, so that a reload shows what was just edited. */
const file = (path: string, name: string, type: string): [string, Page] => [
  path,
  { type, policy, content: () => readFile(new URL(name, folder), 'utf8') },
]

/** What the playground alone is told, without a key: there is nothing on this machine that it protects. */
const data = (name: string, content: (query: URLSearchParams) => Promise<unknown>): [string, Page] => [
  `/playground/${name}.json`,
  { type: 'application/json', content: async (query) => JSON.stringify(await content(query)) },
]

/** The playground at `/`. */
export function playgroundPages(storage: Storage, now: () => number): Pages {
  return new Map<string, Page>([
    file('/', 'index.html', 'text/html; charset=utf-8'),
    ...['style', 'forms', 'results'].map((name) =>
      file(`/playground/${name}.css`, `${name}.css`, 'text/css; charset=utf-8'),
    ),
    file('/playground/icon.svg', 'icon.svg', 'image/svg+xml'),
    ['/playground/main.js', { type: 'text/javascript; charset=utf-8', policy, content: bundled }],
    data('accounts', () => readAccounts(storage)),
    data('account', (query) => readAccountThings(storage, text(query, 'account'))),
    data('things', (query) => readThings(storage, text(query, 'account'), integer(query, 'deployment'), cursor(query))),
    data('explain', (query) =>
      explain(storage, integer(query, 'deployment'), text(query, 'tenant').toLowerCase(), integer(query, 'workbook')),
    ),
    [
      '/playground/key.json',
      {
        type: 'application/json',
        changes: true,
        content: async (query) =>
          JSON.stringify({ key: await makeKey(storage, text(query, 'account'), text(query, 'user'), now()) }),
      },
    ],
  ])
}

function text(query: URLSearchParams, name: string): string {
  const value = query.get(name)?.trim()
  if (!value) throw new RefusedCall(`${name} is missing.`)
  return value
}

function integer(query: URLSearchParams, name: string): number {
  const value = text(query, name)
  if (!/^\d{1,15}$/.test(value)) throw new RefusedCall(`${name} must be an integer.`)
  return Number(value)
}

function cursor(query: URLSearchParams): Readonly<Record<string, unknown>> | undefined {
  const after = query.get('after')
  try {
    return after === null ? undefined : JSON.parse(Buffer.from(after, 'base64url').toString())
  } catch {
    throw new RefusedCall('after is none of the cursors that were given.')
  }
}

async function bundled(): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('app.tsx', folder))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: 'inline',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}
