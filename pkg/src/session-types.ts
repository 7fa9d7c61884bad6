/** What hosts see of sessions. */

/** The conversations that runs belong to, by the `sessionId` that they were started with. */
export interface Sessions {
  /**
   * Deletes a session: its run ends as cancelled, its work in the background is told to stop, what was allowed in it and
   * what is kept of its runs are gone. Files that were written in the workspace stay, and what a store has taken. The id is
   * refused from then on (`agent.session_not_found`).
   */
  delete(sessionId: string): Promise<void>;
}
