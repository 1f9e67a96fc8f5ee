import { fileURLToPath } from 'node:url'

/** Makes one file of JavaScript from a module of this project and all that it imports. */
export async function script(module: URL): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(module)],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}
