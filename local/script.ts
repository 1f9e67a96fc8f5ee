import { fileURLToPath } from 'node:url'
import type { Context } from 'hono'

/** Answers with one file of JavaScript, made from a module of this project and all its imports. */
export const script = (module: string) => async (c: Context) => {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../${module}`, import.meta.url))],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    logLevel: 'silent',
  })
  const type = { 'content-type': 'text/javascript; charset=utf-8' }
  return c.body(outputFiles[0]?.text ?? '', 200, type)
}
