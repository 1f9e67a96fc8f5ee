import { useState } from 'preact/hooks'
import type { DemoKey } from './api.ts'
import { Outcome } from './exchange.tsx'
import { Button, Field } from './fields.tsx'
import type { Options, Values } from './form.ts'
import { useFilledFor } from './hooks.ts'
import type { Page } from './page.ts'

const ownKey = 'own'
const isPhone = matchMedia('(width <= 56rem)').matches

const ofDeployment = {
  name: 'deployment',
  label: 'Deployment',
  list: 'deployments',
  errorsOf: '/deploymentId',
}

/** Who asks, with which key, about which deployment. On a phone it folds to one line. */
export function KeyBar({ page }: { page: Page }) {
  const { account, accounts, keys, owned, picked } = page.directory
  const bar = page.formOf('bar')
  const { deployment = '' } = bar.values
  const known = owned?.deployments.find(({ id }) => String(id) === deployment.trim())
  const optionOf = ({ key, about }: DemoKey) => [key, about] as const
  const demoKeys: Options = (accounts ?? []).map(({ name, keys }) => [name, keys.map(optionOf)])
  const options: Options = [...demoKeys, [ownKey, 'A key or token of your own …']]
  const ofKey = { ...bar, values: { key: picked?.key ?? ownKey } }
  const unknown = deployment.trim() === '' || !owned ? '\u00a0' : 'Not of this account'
  const keyHint = accounts
    ? picked && `${picked.name}, ${picked.email}`
    : 'The keys of the catalog are being read …'
  const who = picked?.about.split(';')[0] ?? account?.name ?? 'No key'
  // What a link names, or somebody has typed, stays.
  useFilledFor(owned && account?.id, deployment !== '', () => {
    const [first] = owned?.deployments ?? []
    if (first && !known) bar.set({ deployment: String(first.id) })
    page.settle()
  })
  return (
    <details class="caller" open={!isPhone}>
      <summary>{`${who}, deployment ${deployment}`}</summary>
      <form
        class="row"
        id="caller"
        aria-label="Who is asking"
        method="dialog"
        onChange={page.settle}
      >
        {keys?.length !== 0 && (
          <Field form={ofKey} name="key" label="API key" as={options} hint={keyHint} />
        )}
        {!picked && <OwnKey page={page} />}
        <Field {...ofDeployment} form={bar} class="narrow" hint={known?.name ?? unknown} />
      </form>
    </details>
  )
}

/** A key that is typed, or made for a user who is picked by name. */
function OwnKey({ page }: { page: Page }) {
  const [typed, setTyped] = useState<string>()
  const { account, accounts = [] } = page.directory
  const bar = page.formOf('bar')
  const own = page.formOf('own')
  const { id: accountId = '', users = [] } = account ?? {}
  const login = typed ?? page.admin ?? ''
  const user = users.find(({ email }) => email.toLowerCase() === login.trim().toLowerCase())
  const { id, firstName, isAdmin } = user ?? {}
  const ofUser = { ...own, values: { user: login }, set: ({ user }: Values) => setTyped(user) }
  function pick(values: Values): void {
    bar.set(values)
    setTyped(undefined)
  }
  const ofAccount = { ...bar, values: { account: accountId }, set: pick }
  const options: Options = accounts.map(({ id, name }) => [id, name])
  const about =
    user &&
    `${firstName ? `${firstName}, user` : 'User'} ${id}, ${isAdmin ? 'an admin' : 'not an admin'}`
  return (
    <>
      {account && (
        <>
          <Field form={ofAccount} name="account" label="Account" as={options} />
          <Field form={ofUser} name="user" label="User" list="internal-ids" hint={about} />
          <Button onClick={() => page.makeKey(login)} children="Make a key" />
        </>
      )}
      <Field
        form={own}
        name="key"
        label="Key or token of your own"
        hint={<span role="status">{page.said}</span>}
      />
    </>
  )
}

/** What has to be typed first. A key can be made at once. */
export const Missing = ({ page }: { page: Page }) => (
  <Outcome key={page.missing}>
    <span class="hint">{page.missing}</span>
    {page.canMakeKey && <Button onClick={() => page.makeKey()} children="Make a key" />}
  </Outcome>
)
