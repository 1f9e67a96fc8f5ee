import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { User } from './directory.ts'
import { Button, Field, type Form, useFilledFor } from './fields.tsx'
import { ask, type Directory } from './use-directory.ts'
import { announce } from './words.tsx'

const ownKey = 'own'
const isPhone = matchMedia('(max-width: 44rem)').matches

type KeyBarProps = {
  readonly directory: Directory
  readonly bar: Form
  readonly typedKey: string
  setTypedKey(key: string): void
  /** A key or deployment has been chosen, or typed to its end. */
  settle(): void
}

/** Who asks, with which key, about which deployment. On a phone it folds to one line. */
export function KeyBar(props: KeyBarProps) {
  const { bar, typedKey, settle } = props
  const { account, accounts, owned, picked } = props.directory
  const { key, deployment = '' } = bar.values
  const known = owned?.deployments.find(({ id }) => String(id) === deployment.trim())
  const keys = accounts?.flatMap(({ keys }) => keys)
  useLayoutEffect(() => {
    if (keys && key === undefined && typedKey === '') bar.set({ key: keys[0]?.key ?? ownKey })
  }, [accounts])
  // What a link names, or somebody has typed, stays.
  useFilledFor(owned && account?.id, deployment !== '', () => {
    const [first] = owned?.deployments ?? []
    if (first && !known) bar.set({ deployment: String(first.id) })
    settle()
  })
  return (
    <details class="caller" open={!isPhone}>
      <summary>{`${picked?.about.split(';')[0] ?? account?.name ?? 'No key'}, deployment ${deployment}`}</summary>
      <form id="caller" aria-label="Who is asking" onSubmit={(event) => event.preventDefault()} onChange={settle}>
        {keys?.length !== 0 && (
          <div class="field">
            <label for="demo-key">API key</label>
            <select
              id="demo-key"
              value={picked?.key ?? ownKey}
              onInput={(event) => bar.set({ key: event.currentTarget.value })}
            >
              {accounts?.map(({ id, name, keys }) => (
                <optgroup label={name} key={id}>
                  {keys.map(({ key, about }) => (
                    <option value={key} key={key} children={about} />
                  ))}
                </optgroup>
              ))}
              <option value={ownKey}>A key or token of your own …</option>
            </select>
            <p class="hint" aria-live="polite">
              {accounts ? picked && `${picked.name}, ${picked.email}` : 'The keys of the catalog are being read …'}
            </p>
          </div>
        )}
        {!picked && <OwnKey {...props} />}
        <Field
          form={bar}
          name="deployment"
          errorsOf="/deploymentId"
          class="narrow"
          label="Deployment"
          list="deployments"
          hint={known?.name ?? (deployment.trim() === '' || !owned ? '\u00a0' : 'Not of this account')}
        />
      </form>
    </details>
  )
}

/** A key that is typed, or made for a user who is picked by name. */
function OwnKey({ directory: { account, accounts = [] }, bar, typedKey, setTypedKey, settle }: KeyBarProps) {
  const [login, setLogin] = useState('')
  const [said, setSaid] = useState('Sent as Authorization: Bearer …, and kept nowhere.')
  const { id: accountId = '', users = [] } = account ?? {}
  useEffect(() => setLogin((users.find(({ isAdmin }) => isAdmin) ?? users[0])?.email ?? ''), [accountId])
  const user = users.find(({ email }) => email.toLowerCase() === login.trim().toLowerCase())
  const make = async () => {
    const asked = ask<{ key: string }>('key', { account: accountId, user: login }, 'POST')
    const made = await asked.catch((error: Error) => error)
    if ('key' in made) setTypedKey(made.key)
    settle()
    const told = 'key' in made ? `Made a key of ${user?.firstName ?? login}. It ends in a day.` : made.message
    setSaid(told)
    announce(told)
  }
  const form: Form = {
    values: { account: accountId, user: login, key: typedKey },
    ids: 'own-',
    prefix: 'own ',
    set({ account, user, key }) {
      if (account !== undefined) bar.set({ account })
      if (user !== undefined) setLogin(user)
      if (key !== undefined) setTypedKey(key)
    },
  }
  const accountsByName = accounts.map(({ id, name }) => [id, name] as const)
  const command = `npm run keys -- create --url ${location.origin} --account ${accountId} --user ${user?.id}`
  return (
    <>
      {account && (
        <>
          <Field form={form} name="account" label="Account" class="short" as={accountsByName} />
          <Field
            form={form}
            name="user"
            label="User"
            class="short"
            list="internal-ids"
            hint={user && aboutUser(user)}
          />
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

const aboutUser = ({ id, firstName, isAdmin }: User): string =>
  `${firstName ? `${firstName}, user` : 'User'} ${id}, ${isAdmin ? 'an admin' : 'not an admin'}`
