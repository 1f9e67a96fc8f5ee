import { access, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { command } from './command.ts'

const help = `Usage: npm run openapi [-- --check]

Writes what is made from the code: docs/openapi.json, docs/errors.md, docs/catalog.md, docs/catalog.schema.json and the
types of the client.
With --check it writes nothing. The exit code is then 1 if a file is out of date, if the document breaks clients of the last
release, or if its version does not fit what has changed since (docs/versioning.md).
`

const absolute = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

await command(async () => {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean' } } })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  // A function imports the document that is made here, so the file must exist before.
  await access(absolute('docs/openapi.json')).catch(() => writeFile(absolute('docs/openapi.json'), '{}\n'))
  const { generatedFiles } = await import('./openapi/generated-files.ts')
  const outdated: string[] = []
  for (const [path, content] of Object.entries(await generatedFiles())) {
    if ((await readFile(absolute(path), 'utf8').catch(() => undefined)) === content) continue
    outdated.push(path)
    if (!values.check) await writeFile(absolute(path), content)
  }
  for (const path of outdated) process.stdout.write(`${path} ${values.check ? 'is out of date' : 'written'}\n`)
  if (!values.check) return
  if (outdated.length > 0) throw new Error('Run npm run openapi, and commit what it writes.')

  const { changesSinceRelease, versionSinceRelease } = await import('../openapi/released.ts')
  const { contractVersion } = await import('../openapi/document.ts')
  const breaking = await changesSinceRelease()
  for (const change of breaking) process.stdout.write(`breaking: ${change}\n`)
  if (breaking.length > 0) throw new Error('These changes break clients of the last release (docs/versioning.md).')
  const version = await versionSinceRelease()
  if (contractVersion !== version) {
    throw new Error(
      `contractVersion is ${contractVersion}. What has changed since the last release makes it ${version}.`,
    )
  }
})
