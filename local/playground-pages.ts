import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Page, Pages } from './pages.ts'
import type { Directory } from './playground/directory.ts'

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

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ts': 'text/javascript; charset=utf-8',
}

/**
 * The playground at `/`.
 * @param directory reads the people and things that it offers to pick
 */
export function playgroundPages(directory: () => Directory | Promise<Directory>): Pages {
  const files = readdirSync(folder).filter((name) => extname(name) in contentTypes)
  return new Map([
    ...files.map((name): [string, Page] => [name === 'index.html' ? '/' : `/playground/${name}`, fileNamed(name)]),
    [
      '/playground/directory.json',
      { type: 'application/json', content: async () => JSON.stringify(await directory()) },
    ],
  ])
}

const fileNamed = (name: string): Page => ({
  type: contentTypes[extname(name)] as string,
  policy,
  // At each request, so that a reload shows what was just edited.
  content: async () => {
    const text = await readFile(new URL(name, folder), 'utf8')
    return extname(name) === '.ts' ? withoutTypes(text, name) : text
  },
})

async function withoutTypes(source: string, name: string): Promise<string> {
  const { transform } = await import('esbuild')
  const { code } = await transform(source, { loader: 'ts', target: 'es2022', sourcefile: name, sourcemap: 'inline' })
  return code
}
