"""RODAS, a Rosenbrock method of order 4(3) for stiff systems, with its polynomial of order 3 within a step.

Six stages: six evaluations, one slope and one factored matrix a step, and no iteration. L-stable: however stiff a
spring or damper is, the step follows what is left of the motion. For tolerances down to about 1e-5.
"""

from __future__ import annotations

import numpy as np

from .rosenbrock import Rosenbrock, rosenbrock

source = "[Hairer1996], IV.7 and VI.4; the numbers are those of their program RODAS"

_end = [1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950]
TABLEAU = Rosenbrock(
    gamma=0.25,
    a=[
        [1.544],
        [0.9466785280815826, 0.2557011698983284],
        [3.314825187068521, 2.896124015972201, 0.9986419139977817],
        _end,
        [*_end, 1.0],
    ],
    c=[
        [-5.6688],
        [-2.430093356833875, -0.2063599157091915],
        [-0.1073529058151375, -9.594562251023355, -20.47028614809616],
        [7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160],
        [8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054],
    ],
    H=np.array(
        [
            [10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662, 0],
            [-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872, 0],
        ]
    ),
    error_order=4,
)
RODAS4 = rosenbrock("rodas4", 4, TABLEAU, source)
