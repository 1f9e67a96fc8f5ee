import { lstat, readFile, symlink, writeFile } from 'node:fs/promises'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import { applyingTo, importFile, type Work } from '../../cli/catalog/importing.ts'
import { partOf } from '../../cli/catalog/private-file.ts'
import { atStart, importState } from '../../cli/catalog/state.ts'
import { acmeGroup, put, revised } from '../support/catalog.ts'
import { exported, newTables } from '../support/database.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { catalogOn, refusal } from './environment.ts'
import { applying, counts } from './imports.ts'

const directory = temporaryDirectory()

const quietly = { err: { write: () => {} } }

test('An import stops where no line of a batch can be applied, with the reason', async () => {
  const path = await fileIn(directory, 'failing.ndjson', [
    put('group', {}),
    'text',
    put('group', {}),
  ])
  const cause = new Error('the table is gone')
  const failing = importFile(
    async (lines) => lines.map(() => ({ outcome: 'failed', reason: 'it is gone', cause })),
    path,
    quietly,
  )
  await expect(failing).rejects.toBe(cause)
})

test('An import is resumed into the same tables alone', async () => {
  const path = await fileIn(directory, 'changed.ndjson', [put('group', {})])
  const [storage, other] = [await newTables(), await newTables()]
  await expect(importState(storage, path, true)).rejects.toThrow(/no import of .+ to resume/)
  const state = await importState(storage, path, false)
  await state.keep({ ...atStart, line: 1, counts: { ...atStart.counts, applied: 1 } })
  await expect(importState(other, path, true)).rejects.toThrow(
    /went to the table .+, and not to the table .+/,
  )
  // A table of the same name at another place: here the same one, made anew.
  const kept = await readFile(`${path}.import-state`, 'utf8')
  await writeFile(`${path}.import-state`, kept.replace(/id [\w-]+/, 'id 0'))
  await expect(importState(storage, path, true)).rejects.toThrow(/with the id 0, and not to/)
  await writeFile(`${path}.import-state`, kept.slice(1))
  await expect(importState(storage, path, true)).rejects.toThrow(/no import of .+ to resume/)
  await writeFile(`${path}.import-state`, kept)
  expect((await importState(storage, path, true)).from.line).toBe(1)
  // DynamoDB Local has no ids.
  const made = (time: number) =>
    sendingThrough(storage, async () => ({ Table: { CreationDateTime: new Date(time) } }))
  await (await importState(made(1), path, false)).keep(atStart)
  await expect(importState(made(2), path, true)).rejects.toThrow(/with the id 1, and not to/)
})

/**
 * An import that is interrupted after its first batch, which has 500 lines. Only the first of them
 * is really applied.
 */
async function interruptedImport(storage: Storage, path: string): Promise<void> {
  let batches = 0
  const work: Work = async ([line, ...others]) => {
    batches += 1
    if (!line || batches > 1) throw new Error('interrupted')
    return [
      ...(await applyingTo(storage)([line])),
      ...others.map(() => ({ outcome: 'applied' }) as const),
    ]
  }
  const state = await importState(storage, path, false)
  await expect(importFile(work, path, { ...quietly, state })).rejects.toThrow('interrupted')
}

/** More groups than a batch has. */
const manyGroups = Array.from({ length: 510 }, (_, index) => acmeGroup(`g${index}`))

const group = acmeGroup('g', { description: 'once' })

test.each([
  ['is refused', put('group', {}), counts(510, 0, 1)],
  [
    'differs from what is stored',
    revised(1, put('group', { ...group.data, description: 'otherwise' })),
    counts(510, 1),
  ],
])('A resumed import ends with 1 if a line of the first part %s', async (_, line, output) => {
  const path = await fileIn(directory, 'wrong.ndjson', [line, ...manyGroups])
  const storage = await newTables([revised(1, group)])
  await interruptedImport(storage, path)
  const resumed = await catalogOn(storage)('import', path, '--resume')
  expect(resumed).toMatchObject({ code: 1, said: '', output })
})

test('An import is resumed from the first line that failed, whatever comes after it', async () => {
  const path = await fileIn(directory, 'failed.ndjson', manyGroups)
  const kept: number[] = []
  const ended: string[] = []
  const state = {
    ...{ from: atStart, isKept: () => true, requireSame: () => {} },
    keep: async ({ line }: typeof atStart) => void kept.push(line),
    end: async () => void ended.push('ended'),
  }
  const work: Work = async (lines) =>
    lines.map(({ number }) =>
      number === 7
        ? { outcome: 'failed', reason: 'no', cause: new Error('no') }
        : { outcome: 'applied' },
    )
  const { failed, applied } = await importFile(work, path, { ...quietly, state })
  expect([failed, applied, kept, ended]).toEqual([1, 509, [0], []])
})

test('An import is resumed with the same lines alone, whatever comes after them', async () => {
  const storage = await newTables()
  const path = await fileIn(directory, 'edited.ndjson', manyGroups)
  await interruptedImport(storage, path)
  const before = await readFile(path, 'utf8')
  const state = await readFile(`${path}.import-state`, 'utf8')
  const resumed = () => catalogOn(storage)('import', path, '--resume')
  const changed = refusal(
    `${path} has changed since its import stopped. Import it without --resume.`,
  )
  // The size stays.
  await writeFile(path, before.replace('"g499"', '"h499"'))
  expect(await resumed()).toMatchObject(changed)
  await writeFile(path, before.split('\n').slice(0, 300).join('\n'))
  expect(await resumed()).toMatchObject(changed)
  await writeFile(path, before)
  // A state of a version that kept no digest.
  await writeFile(`${path}.import-state`, state.replace(/"digest":"\w+",/, ''))
  expect(await resumed()).toMatchObject(changed)
  await writeFile(`${path}.import-state`, state)
  await writeFile(path, before.replace('"g505"', '"other"'))
  expect(await resumed()).toMatchObject(applying(510))
  expect((await exported(storage)).some((line) => line.includes('"name":"other"'))).toBe(true)
})

test('The state of an import is its owner’s, and not written to where a link leads', async () => {
  const path = await fileIn(directory, 'linked.ndjson', [put('group', {})])
  const elsewhere = await fileIn(directory, 'elsewhere', ['kept'])
  const before = await readFile(elsewhere, 'utf8')
  const state = `${path}.import-state`
  for (const name of [state, partOf(state)]) await symlink(elsewhere, name)
  const storage = await newTables()
  await (await importState(storage, path, false)).keep({ ...atStart, line: 1 })
  expect(await readFile(elsewhere, 'utf8')).toBe(before)
  expect((await lstat(`${path}.import-state`)).mode & 0o777).toBe(0o600)
  expect((await importState(storage, path, true)).from.line).toBe(1)
})
