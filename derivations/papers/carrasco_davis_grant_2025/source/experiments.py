"""Section 4, the replications that the draft plans: what only a simulation repeats."""

from derivations.papers.carrasco_davis_grant_2025.setup import *

RATES_OF_ERF = ["average_of_slope_field_value", "average_of_slopes_and_values", "average_of_values"]
PLANNED = [("Figure 1", "fig_1",
        "Soft committee machines trained online follow the solution of equation 20 and the error of equation 19.",
        RATES_OF_ERF),
    ("Figure 2", "fig_2",
        "Where the error leaves its plateau the order parameters change with it: every student specialises on one teacher.",
        ["plateau_rests", "plateau_is_left"]),
    ("Figure 3, K = 2", "fig_3_two_students",
        "From large weights two students of four teachers end at an error that differs from run to run; the runs' average is compared with equation 20.",
        RATES_OF_ERF),
    ("Figure 3, K = 4", "fig_3_four_students",
        "The same for four students of four teachers, which can represent them all.", [*RATES_OF_ERF, "perfect_rests"]),
    ("Figure 3, K = 6", "fig_3_six_students",
        "The same for six students of four teachers, of which two are more than needed.", RATES_OF_ERF),
    ("Figure 4", "fig_4", "Two-layer networks whose second layer is trained as well follow the extended equations.",
        []),
    ("Section 4, limits of the setting, learning rate", "limit_in_the_learning_rate",
        "Up to some learning rate simulations of finite dimension follow the equations.",
        ["critical_polynomial", "critical_rate_of_one", "critical_rate_of_many"]),
    ("Section 4, limits of the setting, noise", "limit_in_the_noise",
        "Up to some noise of the teacher simulations of finite dimension follow the equations.",
        ["error_left_by_noise"])]

for where, name, says, rests_on in PLANNED:
    paper.experiment(where, name, says, rests_on=rests_on)
