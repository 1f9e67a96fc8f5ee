import { randomBytes } from 'node:crypto'
import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { keyInState } from '@embed-access/core/signing/signing-keys.ts'
import {
  readSigningKeys,
  readStoredKeys,
  writeSigningKeys,
} from '@embed-access/core/signing/stored-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { putItem } from '../support/database.ts'
import { world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { commanded, environmentOf, refusal } from './environment.ts'
import { gateToEngine } from './gate.ts'

const hourAgo = () => Date.now() - 3_600_000 - 400_000

const tooEarly = refusal(/^The next key was published at .+ Rotate again from /)

describe('the signing keys of a local server', () => {
  const service = world()
  const { newToken } = sessionsOf(service)
  const keys = (args: string) =>
    commanded('keys', args, { env: environmentOf(service.storage.tables) })
  const keysSince = async (time: number) =>
    writeSigningKeys(
      service.storage,
      await firstSigningKeys(time),
      await readStoredKeys(service.storage),
    )
  // Commands go by the real clock.
  beforeAll(() => {
    service.now = Date.now()
  })
  beforeEach(() => keysSince(hourAgo()))

  test('are rotated while it runs: old tokens stay valid, the next key signs soon', async () => {
    const next = keyInState(await readSigningKeys(service.storage), 'next').kid
    const token = await newToken({ externalId: 'u' })
    const verified = async (token: string, keySet: JSONWebKeySet, currentDate: Date) =>
      (await jwtVerify(token, createLocalJWKSet(keySet), { currentDate })).protectedHeader.kid
    const issuedAt = new Date(service.now)
    const { code, output, said } = await keys('rotate')
    const after = await readSigningKeys(service.storage)
    const [signs, isNext] = [keyInState(after, 'active').kid, keyInState(after, 'next').kid]
    expect([code, output, said]).toEqual([
      0,
      '',
      `Signing keys of the local server rotated. ${signs} signs, ${isNext} is next, 1 retired.\n` +
        'Every function uses them within 5 minutes. No deployment is needed.\n',
    ])
    for (const key of after.keys) if ('d' in key) expect(said).not.toContain(key.d)
    expect(keyInState(after, 'active').kid).toBe(next)

    service.now += 300_000
    const { body } = await service.get('/.well-known/jwks.json')
    await verified(token, body, issuedAt)
    expect(await verified(await newToken({ externalId: 'u' }), body, new Date(service.now))).toBe(
      next,
    )
    expect(JSON.parse((await keys('public')).output)).toEqual(body)
  })

  test('are not rotated before the next one is known, or the active one old enough', async () => {
    const before = await readStoredKeys(service.storage)
    const said = /^Nothing to do: \S+ has signed since 20\S+Z\.\n$/
    expect(await keys('rotate --older-than 30d')).toMatchObject(refusal(said, 0))
    expect(await readStoredKeys(service.storage)).toEqual(before)
    expect(await keys('rotate --older-than 1h')).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Signing keys of the local server rotated\. /),
    })
    await keysSince(Date.now())
    const young = await readStoredKeys(service.storage)
    expect(await keys('rotate')).toMatchObject(tooEarly)
    expect(await readStoredKeys(service.storage)).toEqual(young)
  })

  const behind = async (aheadMs: number) =>
    environmentOf(service.storage.tables, await gateToEngine(() => 'passes', aheadMs))

  test('are not rotated too early by the clock of a machine that is ahead', async () => {
    const env = await behind(-1_200_000)
    await keysSince(Date.now() - 1_200_000)
    const young = await readStoredKeys(service.storage)
    expect(await commanded('keys', 'rotate', { env })).toMatchObject(tooEarly)
    expect(await readStoredKeys(service.storage)).toEqual(young)
  })

  test('are not rotated too early after a machine that is behind has made them', async () => {
    const env = await behind(1_200_000)
    expect(await commanded('keys', 'init --replace --yes', { env })).toMatchObject({ code: 0 })
    expect(await commanded('keys', 'rotate', { env })).toMatchObject(tooEarly)
  })

  test('of another form are not touched, and nothing of them is shown', async () => {
    const stored = {
      pk: 'private#keys',
      keys: '{"keys":[{"kty":"EC","d":"topsecret"}]}',
      version: 'x',
    }
    await putItem(service.storage, 'signingKeys', stored)
    const refused = await keys('rotate')
    expect(refused).toMatchObject(
      refusal(
        'This version cannot read the stored signing keys. Make new ones, which ends all ' +
          'tokens of the old ones, with: npx embed-access keys init --replace',
      ),
    )
    expect(refused.said).not.toContain('topsecret')
    expect(await keys('init --replace --yes')).toMatchObject({ code: 0 })
    expect((await readSigningKeys(service.storage)).keys).toHaveLength(2)
    const env = environmentOf(service.storage.tables)
    const { code, said } = await commanded('keys', 'init --replace', { env, typed: 'replace \n' })
    expect([code, said.replaceAll(/(\S+)(?= (signs|is next),)/g, 'KEY')]).toEqual([
      0,
      'This ends every token of the local server. Type replace to do it: Signing keys of the ' +
        'local server made. KEY signs, KEY is next, 0 retired.\n' +
        'Every function uses them within 5 minutes. No deployment is needed.\n',
    ])
  })

  test('are published when a person has agreed, and not when the command was started', async () => {
    let now = Date.now()
    function* typed() {
      now += 720_000
      yield Buffer.from('replace\n')
    }
    const env = environmentOf(service.storage.tables)
    const time = { now: () => now, pause: async () => {} }
    expect(await commanded('keys', 'init --replace', { env, typed, time })).toMatchObject({
      code: 0,
    })
    const { since } = keyInState(await readSigningKeys(service.storage), 'next')
    expect(since * 1000).toBeGreaterThanOrEqual(now)
  })
})

describe('the signing keys of a deployed stage', () => {
  const service = world()
  /** A stage that no other run of the tests has. */
  const stageOf = (name: string) => `${name}-${randomBytes(3).toString('hex')}`
  const env = { DYNAMODB_ENDPOINT: inject('engineEndpoint') }
  const here = `at ${env.DYNAMODB_ENDPOINT}`
  const keys = (args: string, typed?: string) =>
    commanded('keys', args, { env, ...(typed !== undefined && { typed }) })

  const storageOf = (stage: string): Storage => ({
    ...service.storage,
    tables: { ...service.storage.tables, signingKeys: `embed-access-${stage}-signing-keys` },
  })
  const keysOf = (stage: string) => readSigningKeys(storageOf(stage))

  test('are made once, in a table of their own, and replaced if the stage is typed', async () => {
    const stage = stageOf('main')
    expect(await keys(`rotate --stage ${stage}`)).toMatchObject(
      refusal(
        `There are no signing keys of stage ${stage} ${here} yet. Make them with: ` +
          `npx embed-access keys init --stage ${stage}`,
      ),
    )
    expect(await keys(`init --stage ${stage}`)).toMatchObject(
      refusal(/No deployment is needed\./, 0),
    )
    const made = await keysOf(stage)
    expect(made.keys.map(({ state }) => state)).toEqual(['active', 'next'])
    const replace = `init --stage ${stage} --replace`
    const asking = `This ends every token of stage ${stage} ${here}\\.`
    for (const [args, typed, said, code] of [
      [
        `init --stage ${stage}`,
        undefined,
        `^There are signing keys of stage ${stage} ${here} already. ` +
          `Rotate them with: npx embed-access keys rotate --stage ${stage}\n` +
          `If a private part has leaked, end all tokens with: npx embed-access keys ${replace}\n$`,
        1,
      ],
      [replace, undefined, `^${asking} Nothing was done\\. To do it, add --yes\\.\\n$`, 2],
      [replace, 'yes\n', `^${asking} Type ${stage} to do it: Nothing was done\\.\\n$`, 1],
    ] as const) {
      expect(await keys(args, typed)).toMatchObject(refusal(RegExp(said), code))
      expect(await keysOf(stage)).toEqual(made)
    }
    expect(await keys(replace, `${stage}\n`)).toMatchObject({ code: 0 })
    expect(await keysOf(stage)).not.toEqual(made)
  })

  test('are removed with their table by who types the stage, and never in production', async () => {
    const preview = `pr-${randomBytes(3).readUIntBE(0, 3)}`
    const stage = stageOf('pr-7')
    for (const each of [preview, stage]) await keys(`init --stage ${each}`)
    for (const [args, typed, said, code] of [
      [
        `remove --stage ${stage}`,
        undefined,
        `^This ends every token of stage ${stage} ${here}\\. Nothing was done\\. To do it, add ` +
          '--yes\\.\\n$',
        2,
      ],
      [`remove --stage ${stage}`, 'yes\n', 'Nothing was done\\.\\n$', 1],
      [
        'remove --stage production --yes',
        undefined,
        '^The signing keys of production are not removed by a command\\.\\n$',
        1,
      ],
    ] as const) {
      expect(await keys(args, typed)).toMatchObject(refusal(RegExp(said), code))
    }
    expect((await keysOf(stage)).keys).toHaveLength(2)
    expect(await keys(`remove --stage ${stage}`, `${stage}\n`)).toMatchObject({
      code: 0,
      said: expect.stringContaining(`: There are no signing keys of stage ${stage} ${here}.\n`),
    })
    // Those of a stage that has none are gone too.
    for (const gone of [`${stage} --yes`, preview, preview, `${preview}0`]) {
      expect(await keys(`remove --stage ${gone}`)).toMatchObject({ code: 0 })
    }
    for (const each of [preview, stage])
      await expect(keysOf(each)).rejects.toThrow(ResourceNotFoundException)
  })
})
