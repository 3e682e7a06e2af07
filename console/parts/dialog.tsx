import { type ReactNode, type Ref, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Role, useMay } from '../service/roles.ts'

type Props = { title: string; role?: 'alertdialog'; close: () => void; children: ReactNode }

const fields = 'form :is(input:not([type=radio]:not(:checked)), select, textarea)'

/** A modal dialog. The browser keeps the focus inside, and gives it back when the dialog goes away. */
export function Dialog({ title, role, close, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const element = dialog.current!
    const opener = document.activeElement
    element.showModal()
    // The button that discards a draft comes first, but a person comes to type.
    if (element.querySelector('.restored')) element.querySelector<HTMLElement>(fields)?.focus()
    return () => {
      element.close()
      // Its opener may be gone by now, such as the row of a thing that was removed.
      const next =
        opener instanceof HTMLElement && opener.isConnected ? opener : document.querySelector<HTMLElement>('main h1')
      next?.focus()
    }
  }, [])
  // Outside of the form that it may be opened from: forms do not nest.
  return createPortal(
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={id}
      onCancel={(event) => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        close()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>,
    document.body,
  )
}

type ButtonProps = {
  label: string
  /** A shorter text on the button, where its place says the rest. */
  shown?: string
  /** The least role that may open it. Dialogs change data unless they say otherwise. */
  least?: Role
  title?: string
  className?: string
  alert?: boolean
  /** Open from the beginning. */
  isOpenAtFirst?: boolean
  disabled?: boolean
  ref?: Ref<HTMLButtonElement>
  children: (close: () => void) => ReactNode
}

/** A button and the dialog that it opens. Both have the same name. Absent if the role forbids it. */
export function DialogButton({
  label,
  shown,
  least = 'developer',
  title = label,
  className,
  alert,
  disabled,
  isOpenAtFirst = false,
  ref,
  children,
}: ButtonProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const close = () => setIsOpen(false)
  if (!useMay(least)) return null
  return (
    <>
      <button
        ref={ref}
        type="button"
        className={className}
        disabled={disabled}
        aria-label={shown && label}
        onClick={() => setIsOpen(true)}
      >
        {shown ?? label}
      </button>
      {isOpen && (
        <Dialog title={title} role={alert ? 'alertdialog' : undefined} close={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  )
}
