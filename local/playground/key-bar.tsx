import { useEffect, useState } from 'preact/hooks'
import { ask, type DemoKey } from './api.ts'
import { Button, Field, type Form, type Options, prevented, useFilledFor } from './fields.tsx'
import type { Page } from './page.ts'
import { announce } from './words.tsx'

const ownKey = 'own'
const isPhone = matchMedia('(width <= 56rem)').matches

const deploymentField = { name: 'deployment', label: 'Deployment', list: 'deployments', errorsOf: '/deploymentId' }

/** Who asks, with which key, about which deployment. On a phone it folds to one line. */
export function KeyBar({ page }: { page: Page }) {
  const { account, accounts, keys, owned, picked } = page.directory
  const bar = page.formOf('bar')
  const { deployment = '' } = bar.values
  const known = owned?.deployments.find(({ id }) => String(id) === deployment.trim())
  const optionOf = ({ key, about }: DemoKey) => [key, about] as const
  const options: Options = (accounts ?? []).map(({ name, keys }) => [name, keys.map(optionOf)])
  const keyHint = accounts ? picked && `${picked.name}, ${picked.email}` : 'The keys of the catalog are being read …'
  // What a link names, or somebody has typed, stays.
  useFilledFor(owned && account?.id, deployment !== '', () => {
    const [first] = owned?.deployments ?? []
    if (first && !known) bar.set({ deployment: String(first.id) })
    page.settle()
  })
  return (
    <details class="caller" open={!isPhone}>
      <summary>{`${picked?.about.split(';')[0] ?? account?.name ?? 'No key'}, deployment ${deployment}`}</summary>
      <form class="row" id="caller" aria-label="Who is asking" onSubmit={prevented(() => {})} onChange={page.settle}>
        {keys?.length !== 0 && (
          <Field
            form={{ ...bar, values: { key: picked?.key ?? ownKey } }}
            name="key"
            label="API key"
            as={[...options, [ownKey, 'A key or token of your own …']]}
            hint={keyHint}
          />
        )}
        {!picked && <OwnKey page={page} />}
        <Field
          {...deploymentField}
          form={bar}
          class="narrow"
          hint={known?.name ?? (deployment.trim() === '' || !owned ? '\u00a0' : 'Not of this account')}
        />
      </form>
    </details>
  )
}

/** A key that is typed, or made for a user who is picked by name. */
function OwnKey({ page }: { page: Page }) {
  const [login, setLogin] = useState('')
  const [said, setSaid] = useState('Sent as Authorization: Bearer …, and kept nowhere.')
  const bar = page.formOf('bar')
  const { account, accounts = [] } = page.directory
  const { id: accountId = '', users = [] } = account ?? {}
  useEffect(() => setLogin((users.find(({ isAdmin }) => isAdmin) ?? users[0])?.email ?? ''), [accountId])
  const user = users.find(({ email }) => email.toLowerCase() === login.trim().toLowerCase())
  const { id, firstName, isAdmin } = user ?? {}
  async function make(): Promise<void> {
    const made = ask<{ key: string }>('key', { account: accountId, user: login }, { method: 'POST' })
    const told = await made.then(
      ({ key }) => {
        page.setTypedKey(key)
        return `Made a key of ${firstName ?? login}. It ends in a day.`
      },
      ({ message }: Error) => message,
    )
    page.settle()
    setSaid(told)
    announce(told)
  }
  const form: Form = {
    ...bar,
    values: { account: accountId, user: login, key: page.typedKey },
    ids: 'own-',
    prefix: 'own ',
    set({ account, user, key }) {
      if (account !== undefined) bar.set({ account })
      if (user !== undefined) setLogin(user)
      if (key !== undefined) page.setTypedKey(key)
    },
  }
  const options: Options = accounts.map(({ id, name }) => [id, name])
  const about = user && `${firstName ? `${firstName}, user` : 'User'} ${id}, ${isAdmin ? 'an admin' : 'not an admin'}`
  const command = `npm run keys -- create --url ${location.origin} --account ${accountId} --user ${id}`
  return (
    <>
      {account && (
        <>
          <Field form={form} name="account" label="Account" as={options} />
          <Field form={form} name="user" label="User" list="internal-ids" hint={about} />
          <Button onClick={make} children="Make a key" />
        </>
      )}
      <Field form={form} name="key" label="Key or token of your own" hint={said}>
        {user && (
          <p class="hint">
            In a shell: <code id="make-key">{command}</code>
          </p>
        )}
      </Field>
    </>
  )
}
