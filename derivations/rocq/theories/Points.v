(* Relations at an exact point. *)
From Coq Require Export Reals Lra.
From Coquelicot Require Export Coquelicot.
From Interval Require Export Tactic.
Local Open Scope R_scope.

Ltac balls := first [ lra | interval | interval with (i_prec 100) | interval with (i_prec 200) ].
Ltac apart :=
  first [ apply Rlt_not_eq; balls | apply Rgt_not_eq; red; balls
        | let E := fresh in intro E; apply Rminus_diag_eq in E; revert E; field_simplify;
          let E := fresh in intro E; first [ lra | revert E; apply Rlt_not_eq; balls | revert E; apply Rgt_not_eq; red; balls ] ].
Ltac at_one := first [ apart | balls | field_simplify; lra | field; repeat split; apart ].
Ltac arcs := repeat match goal with |- context [asin ?x] => rewrite (asin_atan x) by balls end; unfold Rsqr.
Ltac at_point := cbv beta; unfold tanh, sinh, cosh; arcs; repeat (split; [ at_one | ]); at_one.
