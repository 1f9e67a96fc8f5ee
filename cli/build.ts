import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { lambdas } from '../functions/operations/lambdas.ts'
import { bundle } from '../stacks/bundle.ts'

const help = `Usage: npm run build

Bundles each function as the deployment does, into memory, and shows its size.
`

const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
if (values.help) {
  process.stdout.write(help)
  process.exit()
}

const kilobytes = (bytes: number) => Number((bytes / 1024).toFixed(1))

const sizes = Object.keys(lambdas).map(async (name) => {
  const { code } = await bundle(name)
  return [name, { KB: kilobytes(code.byteLength), 'KB gzipped': kilobytes(gzipSync(code).byteLength) }]
})

console.table(Object.fromEntries(await Promise.all(sizes)))
