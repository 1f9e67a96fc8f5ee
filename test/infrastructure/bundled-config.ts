import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { PluginBuild } from 'esbuild'

/** Whether an evaluation bundles the functions, which takes longer than all the rest. */
export type Bundles = 'anew' | 'as-they-are'

const root = process.cwd()
const platform = join(root, '.sst', 'platform')

/** The file that `bundleConfig` writes. There it finds the packages of SST's platform. */
export const bundledConfig = (bundles: Bundles): string =>
  join(platform, `config-${bundles}.test.mjs`)

/**
 * Bundles the config as the SST command does before it runs it, with `sst` and `aws` as globals.
 * External packages come from SST's platform first. Its versions are older than ours.
 */
export async function bundleConfig(bundles: Bundles): Promise<void> {
  const require = createRequire(join(platform, 'package.json'))
  const { build } = require('esbuild') as typeof import('esbuild')
  const contents = `
    import * as aws from '@pulumi/aws'
    import * as sst from '${platform}/src/components'
    import { run } from '${platform}/src/auto/run.ts'
    import config from '${root}/sst.config.ts'
    Object.assign(globalThis, { aws, sst })
    export default () => run(config.run)`
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    inject: [join(platform, 'src/shim/run.js')],
    external: [
      '@pulumi/*',
      '@pulumiverse/*',
      '@aws-sdk/*',
      'archiver',
      'esbuild',
      'glob',
      'undici',
    ],
    plugins: bundles === 'as-they-are' ? [{ name: bundles, setup: takeBundlesAsTheyAre }] : [],
    mainFields: ['module', 'main'],
    platform: 'node',
    format: 'esm',
    bundle: true,
    outfile: bundledConfig(bundles),
    logLevel: 'error',
  })
}

/** Takes the bundles that are in `dist`. */
function takeBundlesAsTheyAre({ onLoad }: PluginBuild): void {
  const contents = `export const bundle = async (name) => ({ directory: '${root}/dist/' + name })`
  onLoad({ filter: /stacks.bundle\.ts$/ }, () => ({ contents }))
}
