"""Where things stand in the three blocks of memory that a time loop shares with Python, and what it answers.

`plan`: whole numbers and addresses, fixed while it runs. `tally`: whole numbers that count. `clock`: times and
step lengths.
"""

from __future__ import annotations

from typing import Final

# plan
FLOW: Final = 0  # flow(t, y, dy, context): dy/dt
CONTEXT: Final = 1
SIZE: Final = 2  # entries of y
COUNTED: Final = 3  # the first of them, which the error is measured by; the others are integrals along the way
POSITIONS: Final = 4  # the first of them, whose rates do not depend on themselves alone: positions
Y: Final = 5
Y_OLD: Final = 6
DY: Final = 7
ATOL: Final = 8
WORK: Final = 9
TABLE: Final = 10  # of the method
STEP: Final = 11  # step(plan, tally, clock)
DENSE: Final = 12  # dense(plan, tally, clock, share, out)
SETTLE: Final = 13  # settle(t, y, stepping, context) closes loops and makes quaternions unit; 0: none
RESTS: Final = 14  # 1 when what settles y leaves dy as it is
SAVES: Final = 15
SAVE_T: Final = 16
SAVE_Y: Final = 17
WATCH: Final = 18  # watch(t, y, g, context): what changes sign at events
WATCHED: Final = 19  # entries of g
G: Final = 20  # g at the last step, at the latest look, and the direction that counts: 3 rows
ENDS: Final = 21  # for each event, 1 when the loop ends there
LOG: Final = 22  # rows (event, time, y) of events that do not end it
LOG_ROOM: Final = 23
CARRY: Final = 27  # carry(h, q, v, context): q goes along v for a time h, on its manifold; 0: none
BREAKS: Final = 28  # moments at which the flow is not smooth, between the numbers before and after; steps end there
BREAK_COUNT: Final = 29
STRETCH: Final = 30  # where the flow reads the first and last moment of its smooth stretch; 0: it does not
CHART: Final = 32  # chart(t, y, 0, context): local coordinates x begin at y; 1 when their order is another than before
LIFT: Final = 33  # lift(t, x, y, context): the state at x
LOCAL: Final = 34  # local(t, x, dx, context): dx/dt
SLOPE: Final = 35  # slope(t, x, J, context): d local/dx where `local` was asked last, columns only for what acts back
X_SIZE: Final = (
    36  # entries of x: positions that act back, their velocities, other positions, their velocities, the rest
)
X_ACTING: Final = 37  # of positions that act back
X_FOLLOWING: Final = 38  # of other positions
TIMED: Final = 39  # 1 when `local` depends on time
MEET: Final = 40  # meet(plan, tally, clock): looks for events in the last step
LENGTH: Final = 48

# tally
STEPS: Final = 0
EVALUATIONS: Final = 1
REJECTED: Final = 2
SAVED: Final = 3
FRESH: Final = 4  # 1 when dy belongs to y
TROUBLE: Final = 5  # what the flow said last when it could not answer
UNTIL: Final = 6  # pause when so many steps are done
ORDER: Final = 7
READY: Final = 8  # 1 when what the state within a step needs has been computed
LOGGED: Final = 9
EVENT: Final = 10
SLOPES: Final = 11
STARTED: Final = 12  # 1 when a method's memory of earlier steps holds; 0 makes it begin anew
SINCE: Final = 13  # a method's own
BREAK: Final = 15  # the next one
TALLY_LENGTH: Final = 16

# clock
T: Final = 0
T_OLD: Final = 1
T_END: Final = 2  # of the stretch without breaks
H: Final = 3  # of the next step
RTOL: Final = 4
H_MAX: Final = 5
ERROR: Final = 6  # of the last step that was accepted, over what is allowed
H_DONE: Final = 7  # of the last step
EVENT_T: Final = 8
LAST: Final = 15  # when the loop is finished
CLOCK_LENGTH: Final = 16

# what a loop answers
FINISHED: Final = 0
PAUSED: Final = 1
EVENT_MET: Final = 2
COLLAPSED: Final = 3  # no step is short enough
FLOW_FAILED: Final = 4  # at the state reached, or with a step of fixed length

# what a flow answers, besides 0
NOT_FINITE: Final = 1
SINGULAR: Final = 2
NOT_CLOSED: Final = 3
RAISED: Final = 4  # a Python function of the user's raised an error
MEETING: Final = 6  # branches of the motion meet here, which independent coordinates pass
NOT_SOLVED: Final = 5  # the equations of an implicit step have no solution nearby
