import { readFile, rename, rm } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { resolve } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'

export const options = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // By default the SDK's CommonJS build comes first, and esbuild cannot drop its unused parts.
  mainFields: ['module', 'main'],
} satisfies BuildOptions

/**
 * Bundles `functions/<name>.ts` as Lambda gets it: `dist/<name>`, a directory with the file
 * `index.mjs` alone. The source map lies beside that directory: people need it to read stack
 * traces, but loading it would cost Lambda time. Runs in the root of the project, from npm and from
 * SST.
 * @param dist another place than `dist`
 */
export async function bundle(name: string, dist = 'dist') {
  const directory = resolve(dist, name)
  const outfile = resolve(directory, 'index.mjs')
  await rm(directory, { recursive: true, force: true })
  // Takes the project's esbuild. SST has an older one beside its config.
  const { build } = createRequire(resolve('package.json'))('esbuild') as typeof import('esbuild')
  await build({
    entryPoints: [resolve('functions', `${name}.ts`)],
    outfile,
    ...options,
    sourcemap: 'external',
    plugins: [replacedModules, builtinsWithoutUndici],
  })
  await rename(`${outfile}.map`, resolve(dist, `${name}.mjs.map`))
  return { directory, code: await readFile(outfile) }
}

/**
 * If a module imports node:http, Node loads undici, which takes longer than all of a function's own
 * code (nodejs/node#59686). `process.getBuiltinModule` does not load it. Only the parts that are
 * used are read, because reading all of a module takes a while.
 */
const builtinsWithoutUndici: Plugin = {
  name: 'builtins-without-undici',
  setup(build) {
    build.onResolve({ filter: /^[a-z]|^node:/ }, ({ path, namespace: from, kind }) => {
      if (!isBuiltin(path) || from.startsWith('builtin')) return undefined
      const namespace = kind === 'import-statement' ? 'builtin' : 'builtin-whole'
      return { path, namespace, sideEffects: false }
    })
    const found = (path: string) => `process.getBuiltinModule(${JSON.stringify(path)})`
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const names = Object.getOwnPropertyNames(process.getBuiltinModule(path)).filter(
        (name) => name !== 'default',
      )
      const parts = names.map((name) => `export const ${name} = /* @__PURE__ */ part('${name}')`)
      const whole = `const builtin = /* @__PURE__ */ ${found(path)}`
      const part = 'const part = (name) => builtin[name]'
      return { contents: [whole, part, 'export default builtin', ...parts].join('\n') }
    })
    build.onLoad({ filter: /.*/, namespace: 'builtin-whole' }, ({ path }) => ({
      contents: `module.exports = ${found(path)}`,
    }))
  },
}

/** Modules of the SDK, each with the contents that replace its own. */
const replaced: Record<string, string> = {
  // Functions use no streams of events, and no cache of endpoints.
  '@smithy/core/event-streams': '',
  '@aws-sdk/endpoint-cache': 'export class EndpointCache {}',
  // Lambda has no files of configuration.
  'shared-ini-file-loader/loadSharedConfigFiles': `
    export const CONFIG_PREFIX_SEPARATOR = '.'
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} })
  `,
  // A Node function of Lambda has its credentials in its environment. The code that looks for them
  // in other places is two fifths of the SDK's bytes.
  '@aws-sdk/credential-provider-node': `
    import { fromEnv } from '@aws-sdk/credential-provider-env'
    import { doesIdentityRequireRefresh } from '@smithy/core'
    import { isIdentityExpired, memoizeIdentityProvider } from '@smithy/core'
    export const defaultProvider = (init) =>
      memoizeIdentityProvider(fromEnv(init), isIdentityExpired, doesIdentityRequireRefresh)
  `,
}

const replacedModules: Plugin = {
  name: 'replaced-modules',
  setup(build) {
    const filter = new RegExp(`(?:^|/)(${Object.keys(replaced).join('|')})$`)
    build.onResolve({ filter }, ({ path, resolveDir }) => {
      const [, name] = filter.exec(path) ?? []
      return { path: name as string, namespace: 'replaced', pluginData: resolveDir }
    })
    build.onLoad({ filter: /.*/, namespace: 'replaced' }, ({ path, pluginData: resolveDir }) => {
      return { contents: replaced[path] as string, resolveDir }
    })
  },
}
