import { gzipSync } from 'node:zlib'
import { runForProcess, verb } from '../cli/command.ts'
import { lambdas } from '../functions/operations/lambdas.ts'
import { bundle } from '../stacks/bundle.ts'

const kilobytes = (bytes: number) => Number((bytes / 1024).toFixed(1))

const build = () =>
  verb(
    'npm run build --',
    'Bundles each function into dist, as the deployment does, and shows its size.',
    { examples: ['npm run build'] },
  ).action(async () => {
    const sizes = Object.keys(lambdas).map(async (name) => {
      const { code } = await bundle(name)
      return [
        name,
        { KB: kilobytes(code.byteLength), 'KB gzipped': kilobytes(gzipSync(code).byteLength) },
      ]
    })
    console.table(Object.fromEntries(await Promise.all(sizes)))
  })

if (import.meta.main) await runForProcess(build)
