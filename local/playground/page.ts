import { useEffect, useState } from 'preact/hooks'
import type { InputError } from './api.ts'
import { useDirectory } from './directory.ts'
import { byField, type FieldErrors, type Form, focusSoon } from './fields.tsx'
import { type Tab, usePlace } from './link.ts'

/** Where the page is, who asks about which deployment, what may be picked, and what was wrong with the last answer. */
export function usePage() {
  const { tab, forms, settled, update, settle } = usePlace()
  const [typedKey, setTypedKey] = useState('')
  const [errors, setErrors] = useState<FieldErrors>({})
  const { bar } = forms
  const deployment = (bar.deployment ?? '').trim()
  const directory = useDirectory(bar.key, bar.account, deployment)
  const { accounts, account, owned, picked } = directory
  const key = picked?.key ?? typedKey.trim()
  const missing = key === '' ? 'an API key or token' : deployment === '' ? 'a deployment' : undefined
  // The first deployment of an account is filled in, if it has one.
  const isFilledIn = bar.deployment !== undefined || owned?.deployments.length === 0
  useEffect(() => setErrors({}), [tab])
  return {
    tab,
    /** Changes whenever a list must be asked for again. */
    settled,
    settle,
    directory,
    typedKey,
    setTypedKey,
    deployment,
    authorization: `Bearer ${key}`,
    /** What has to be typed before anything can be asked, as a sentence. */
    missing: missing && `Type ${missing} above.`,
    /** Whether the keys and deployments have been read that may be picked. */
    isKnown: accounts !== undefined && (!account || (owned !== undefined && isFilledIn)),
    errors,
    /** Shows each error at its field, of which the first may get the focus. */
    showErrors(all: readonly InputError[], focus: boolean): void {
      setErrors(byField(all))
      if (focus && all.length > 0) focusSoon('#caller [aria-invalid], section:not([hidden]) [aria-invalid]')
    },
    formOf: (name: Tab | 'bar'): Form => ({
      values: forms[name],
      // Of a session's body an error has a pointer, of a list's query the parameter's name.
      prefix: name === 'session' ? '/' : '',
      ids: name === 'session' || name === 'bar' ? '' : `${name}-`,
      set(values) {
        if (name === tab || name === 'bar') setErrors({})
        update(name, values)
      },
    }),
  }
}

export type Page = ReturnType<typeof usePage>
