import { Confirm } from '../../parts/confirm.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Refused } from '../../parts/refused.tsx'
import { showSecret } from '../../parts/secret.tsx'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { Sessions } from './sessions.tsx'
import { TurnOn } from './turnOn.tsx'

/** How the person signs in: the second factor, and where they are signed in. */
export function SignIn() {
  const { data, error, refetch } = useRead(['list', 'sign_in', 'factors'], (options) =>
    service.accounts.getFactors(options),
  )
  return (
    <section aria-labelledby="sign-in" className="part">
      <h3 id="sign-in">{texts.signInPart}</h3>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <div className="card stack">
          {data.totp.enabled ? (
            <p>
              {texts.factorOn} {data.totp.enabled_at && <Moment at={data.totp.enabled_at} />}.{' '}
              {texts.codesLeft(data.recovery_codes_left)}
            </p>
          ) : (
            <p>{texts.factorOff}</p>
          )}
          <div className="actions">
            {data.totp.enabled ? (
              <>
                <DialogButton label={texts.newRecoveryCodes} least="viewer" className="quiet" alert>
                  {(close) => <NewRecoveryCodes close={close} />}
                </DialogButton>
                <DialogButton label={texts.turnOffFactor} least="viewer" className="quiet dangerous" alert>
                  {(close) => <TurnOff close={close} />}
                </DialogButton>
              </>
            ) : (
              <DialogButton label={texts.turnOnFactor} least="viewer" className="quiet">
                {(close) => <TurnOn close={close} />}
              </DialogButton>
            )}
          </div>
        </div>
      )}
      <Sessions />
    </section>
  )
}

function NewRecoveryCodes({ close }: { close: () => void }) {
  const act = useAct<void, { recovery_codes: string[] }>(
    () => service.accounts.createRecoveryCodes(),
    async ({ recovery_codes }) => {
      await acted('sign_in')
      showSecret(recovery_codes.join(' '))
    },
  )
  return (
    <Confirm label={texts.newRecoveryCodes} act={act} close={close}>
      <p>{texts.newRecoveryCodesHint}</p>
    </Confirm>
  )
}

function TurnOff({ close }: { close: () => void }) {
  const act = useAct<void, unknown>(
    () => service.accounts.deleteTotp(),
    async () => {
      await acted('sign_in', 'session')
      notify(texts.factorTurnedOff)
    },
  )
  return (
    <Confirm label={texts.turnOffFactor} act={act} close={close}>
      <p>{texts.turnOffFactorHint}</p>
    </Confirm>
  )
}
