import { useState } from 'preact/hooks'
import { Outcome } from './exchange.tsx'
import { Button, Field } from './fields.tsx'
import type { Options, Values } from './form.ts'
import type { Page } from './page.ts'

const ofDeployment = {
  name: 'deployment',
  label: 'Deployment',
  list: 'deployments',
  class: 'narrow',
  errorsOf: '/deploymentId',
}
const isPhone = matchMedia('(width <= 56rem)').matches

/** Who asks, with which key, about which deployment. On a phone it folds to one line. */
export function KeyBar({ page }: { page: Page }) {
  const { deployment, known } = page
  const { account, accounts, keys, owned, picked } = page.directory
  const bar = page.formOf('bar')
  const options: Options = [
    ...(accounts ?? []).map(
      ({ name, keys }) => [name, keys.map(({ key, about }) => [key, about] as const)] as const,
    ),
    ['own', 'A key or token of your own …'],
  ]
  const ofKey = { ...bar, values: { key: picked?.key ?? 'own' } }
  const unknown = deployment === '' || !owned ? '' : 'Not of this account'
  const about = picked && `${picked.name}, ${picked.email}`
  const keyHint = accounts ? about : 'The keys of the catalog are being read …'
  const who = picked?.about.split(';')[0] ?? account?.name ?? 'No key'
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
        <Field form={bar} {...ofDeployment} hint={known?.name ?? unknown} />
      </form>
    </details>
  )
}

function OwnKey({ page }: { page: Page }) {
  const [typed, setTyped] = useState<string>()
  const { account, accounts = [] } = page.directory
  const bar = page.formOf('bar')
  const own = page.formOf('own')
  const { id = '', users = [] } = account ?? {}
  const login = typed ?? page.admin ?? ''
  const user = users.find(({ email }) => email.toLowerCase() === login.trim().toLowerCase())
  const ofUser = { ...own, values: { user: login }, set: ({ user }: Values) => setTyped(user) }
  function set(values: Values): void {
    bar.set(values)
    setTyped(undefined)
  }
  const options: Options = accounts.map(({ id, name }) => [id, name])
  const name = user?.firstName ? `${user.firstName}, user` : 'User'
  const about = user && `${name} ${user.id}, ${user.isAdmin ? 'an admin' : 'not an admin'}`
  const ofAccount = { ...bar, values: { account: id }, set }
  return (
    <>
      {account && [
        <Field form={ofAccount} name="account" label="Account" as={options} key="account" />,
        <Field
          form={ofUser}
          name="user"
          label="User"
          list="internal-ids"
          hint={about}
          key="user"
        />,
        <Button onClick={() => page.makeKey(login)} children="Make a key" key="make" />,
      ]}
      <Field
        form={own}
        name="key"
        label="Key or token of your own"
        hint={<span role="status">{page.said}</span>}
      />
    </>
  )
}

export const Missing = ({ page, what = page.missing }: { page: Page; what?: string }) => (
  <Outcome key={what}>
    <span class="hint">{what}</span>
    {what === page.missing && page.canMakeKey && (
      <Button onClick={() => page.makeKey()} children="Make a key" />
    )}
  </Outcome>
)
