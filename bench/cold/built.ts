import { join } from 'node:path'
import { build } from 'esbuild'
import { bundle } from '../../stacks/bundle.ts'

/**
 * The file of a function's bundle as it is deployed, and the file of the same source built with
 * esbuild's defaults.
 */
export type Built = { readonly ours: string; readonly defaults: string; readonly bytes: number }

/** @param place the directory where both are put */
export async function built(name: string, place: string): Promise<Built> {
  const { directory, code } = await bundle(name, place)
  const outfile = join(place, `${name}-by-defaults.mjs`)
  await build({
    entryPoints: [`functions/${name}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    // A function awaits while it loads, which only modules can, and the SDK's CommonJS needs
    // `require`.
    format: 'esm',
    banner: {
      js:
        "import { createRequire } from 'node:module'; const require = " +
        'createRequire(import.meta.url);',
    },
    logLevel: 'error',
  })
  return { ours: join(directory, 'index.mjs'), defaults: outfile, bytes: code.byteLength }
}
