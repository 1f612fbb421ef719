/** Where runs wait. Runs of several threads can wait at gates of one name: opening lets one of them through. */
export class Gates {
  private readonly waiting = new Map<() => void, string>();

  /** Waits until the gate is opened; fails when the run is over. */
  wait(name: string, over: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      over.throwIfAborted();
      over.addEventListener("abort", () => {
        this.waiting.delete(resolve);
        reject(over.reason);
      });
      this.waiting.set(resolve, name);
    });
  }

  /** Opens a gate, if somebody waits at it. */
  open(name: string): boolean {
    for (const [open, at] of this.waiting) {
      if (at === name) {
        this.waiting.delete(open);
        open();
        return true;
      }
    }
    return false;
  }
}
