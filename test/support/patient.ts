import type { Storage } from '@embed-access/core/storage/storage.ts'

type Handler = {
  updateHttpClientConfig(limit: string, milliseconds: number): void
  handle(request: unknown, options: { readonly abortSignal?: AbortSignal }): Promise<unknown>
}

/** Waits for the engine as long as a busy machine takes, whatever time a call has. */
export function patient(storage: Storage): Storage {
  const handler = storage.client.config.requestHandler as Handler
  for (const limit of ['connectionTimeout', 'requestTimeout', 'socketTimeout']) {
    handler.updateHttpClientConfig(limit, 60_000)
  }
  const handle = handler.handle.bind(handler)
  handler.handle = (request, { abortSignal, ...others }) =>
    handle(request, { ...others, ...(abortSignal && { abortSignal: withoutTime(abortSignal) }) })
  return storage
}

/** A signal that aborts for the same reasons, unless the time is over. */
function withoutTime(signal: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (signal.reason.name !== 'TimeoutError') controller.abort(signal.reason)
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  return controller.signal
}
