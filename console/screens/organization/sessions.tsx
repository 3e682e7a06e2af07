import { deviceOf } from '../../parts/device.ts'
import { Moment } from '../../parts/moment.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Table } from '../../parts/table.tsx'
import { actAtOnce } from '../../service/actAtOnce.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'

/** Where the account is signed in, in all of its organizations. */
export function Sessions() {
  const { data, error, refetch } = useRead(['list', 'sign_in', 'sessions'], (options) =>
    service.accounts.listSessions(options),
  )

  const end = (run: () => PromiseLike<unknown>, said: string) => actAtOnce(run, said, 'sign_in')

  return (
    <div className="part">
      <div className="head">
        <h4>{texts.sessions}</h4>
        <button
          type="button"
          className="quiet"
          onClick={() => end(() => service.accounts.endOtherSessions(), texts.othersSignedOut)}
        >
          {texts.signOutOthers}
        </button>
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <Table
          label={texts.sessions}
          rows={data.sessions}
          idOf={({ id }) => id}
          nameOf={nameOf}
          least="viewer"
          columns={[
            {
              head: texts.device,
              cell: (session) => (
                <>
                  <span title={session.user_agent ?? undefined}>{nameOf(session)}</span>{' '}
                  {session.current && <strong>({texts.thisSession})</strong>}
                </>
              ),
            },
            { head: texts.address, cell: ({ ip }) => ip ?? '–' },
            { head: texts.lastSeen, cell: ({ last_seen_at }) => <Moment at={last_seen_at} />, isMinor: true },
          ]}
          actions={({ id, current }) =>
            current
              ? []
              : [
                  {
                    label: texts.signOut,
                    run: () => end(() => service.accounts.endSession(id), texts.sessionSignedOut),
                  },
                ]
          }
        />
      )}
    </div>
  )
}

/** A browser with its system; a program by what it says of itself. */
function nameOf({ user_agent }: { user_agent: string | null }): string {
  if (!user_agent) return texts.unknownDevice
  const { browser, system } = deviceOf(user_agent)
  return browser && system ? texts.browserOn(browser, system) : (browser ?? user_agent)
}
