import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { resolve } from 'node:path'
import type { Plugin } from 'esbuild'

/** A function as Lambda gets it: a directory with one file whose export `handler` is called. */
export type Bundle = { readonly directory: string; readonly code: Uint8Array }

export const bundleHandler = 'index.handler'

/**
 * Bundles `functions/<name>.ts` into `dist/<name>`, with its source map beside that directory: it is there to read
 * stack traces with, and loading it would cost time. Runs in the project's root, from npm and from SST alike.
 */
export async function bundle(name: string): Promise<Bundle> {
  const directory = resolve('dist', name)
  const { outputFiles } = await projectEsbuild().build({
    entryPoints: [resolve('functions', `${name}.ts`)],
    outfile: resolve(directory, 'index.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // The SDK's CommonJS build, which comes first by default, cannot be shaken.
    mainFields: ['module', 'main'],
    sourcemap: 'external',
    plugins: [lambdaCredentials, builtinsWithoutUndici],
    write: false,
  })
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  await Promise.all(
    outputFiles.map(({ path, contents }) =>
      writeFile(path.endsWith('.map') ? resolve('dist', `${name}.mjs.map`) : path, contents),
    ),
  )
  const code = outputFiles.find(({ path }) => path.endsWith('.mjs'))
  if (!code) throw new Error(`no code came out of functions/${name}.ts`)
  return { directory, code: code.contents }
}

/** SST evaluates its config beside an older esbuild of its own. */
const projectEsbuild = () => createRequire(resolve('package.json'))('esbuild') as typeof import('esbuild')

/**
 * Importing node:http as a module makes Node load undici, which takes longer than all of a function's own code
 * (nodejs/node#59686). Asked for as an object it doesn't.
 */
const builtinsWithoutUndici: Plugin = {
  name: 'builtins-without-undici',
  setup(build) {
    build.onResolve({ filter: /^[a-z]|^node:/ }, ({ path, namespace }) =>
      isBuiltin(path) && namespace !== 'builtin' ? { path, namespace: 'builtin' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

/**
 * Of the SDK's places to look for credentials, Lambda has two: its environment, and with SnapStart its container's
 * address. The others, two fifths of the SDK's bytes, stay out.
 */
const lambdaCredentials: Plugin = {
  name: 'lambda-credentials',
  setup(build) {
    build.onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ path, resolveDir }) => ({
      path,
      namespace: 'lambda-credentials',
      pluginData: resolveDir,
    }))
    build.onLoad({ filter: /.*/, namespace: 'lambda-credentials' }, ({ pluginData: resolveDir }) => ({
      resolveDir,
      contents: `
        import { fromEnv } from '@aws-sdk/credential-provider-env'
        import { fromHttp } from '@aws-sdk/credential-provider-http'
        import { doesIdentityRequireRefresh, isIdentityExpired, memoizeIdentityProvider } from '@smithy/core'
        const find = (init) => (process.env.AWS_ACCESS_KEY_ID ? fromEnv(init) : fromHttp(init))
        export const defaultProvider = (init) =>
          memoizeIdentityProvider((identity) => find(init)(identity), isIdentityExpired, doesIdentityRequireRefresh)
      `,
    }))
  },
}
