(* Limits: where a formula is continuous at the place to which its letters go, its value there is its limit. *)
From Derivations Require Export Calculus.
Local Open Scope R_scope.

(* --- formulas where all letters from the n-th on are zero ------------------------------------------------------------ *)

Definition is_number (v : Q) (t : formula) : bool := match t with Num p q => Qeq_bool (Qmake p q) v | _ => false end.

Definition of_number (q : Q) : formula := Num (Qnum q) (Qden q).

Definition plus_placed (a b : formula) : formula :=
  match a, b with
  | Num p q, Num p' q' => of_number (qadd (Qmake p q) (Qmake p' q'))
  | _, _ => if is_number 0 a then b else if is_number 0 b then a else Add a b
  end.

Definition times_placed (a b : formula) : formula :=
  match a, b with
  | Num p q, Num p' q' => of_number (qmul (Qmake p q) (Qmake p' q'))
  | _, _ =>
      if is_number 0 a || is_number 0 b then Num 0 1
      else if is_number 1 a then b else if is_number 1 b then a else Mul a b
  end.

Fixpoint qpow (x : Q) (n : positive) : Q :=
  match n with xH => x | xO n => let s := qpow x n in qmul s s | xI n => let s := qpow x n in qmul x (qmul s s) end.

Definition power_placed (a : formula) (k : Z) : formula :=
  match a, k with
  | Num p q, Zpos n => of_number (qpow (Qmake p q) n)
  | Num (Zpos p) q, Zneg n => of_number (qpow (Qmake (Zpos q) p) n)
  | Num (Zneg p) q, Zneg n => of_number (qpow (Qmake (Zneg q) p) n)
  | _, Z0 => Num 1 1
  | _, _ => Pow a k
  end.

Definition root_placed (a : formula) (k : Z) : formula :=
  match k with
  | Zpos _ => if is_number 0 a then Num 0 1 else if is_number 1 a then Num 1 1 else Root a k
  | _ => if is_number 1 a then Num 1 1 else Root a k
  end.

Definition fun_placed (f : func) (a : formula) : formula :=
  if is_number 0 a then
    match f with
    | Exp | Cosh | Cos => Num 1 1
    | Sinh | Tanh | Sin | Asin | Atan | Abs => Num 0 1
    | Log => Fun f a
    end
  else Fun f a.

Fixpoint placed (n : nat) (t : formula) : formula :=
  match t with
  | Var i => if Nat.leb n i then Num 0 1 else t
  | Num _ _ | Pi => t
  | Add a b => plus_placed (placed n a) (placed n b)
  | Mul a b => times_placed (placed n a) (placed n b)
  | Pow a k => power_placed (placed n a) k
  | Root a k => root_placed (placed n a) k
  | Exponential a b => Exponential (placed n a) (placed n b)
  | Fun f a => fun_placed f (placed n a)
  end.

Lemma is_number_ok e v t : is_number v t = true -> ev e t = Q2R v.
Proof.
  destruct t; try discriminate. intros H. simpl in *. rewrite number_ok. apply Qeq_eqR, Qeq_bool_iff, H.
Qed.

Lemma of_number_ok e q : ev e (of_number q) = Q2R q.
Proof. destruct q. simpl. apply number_ok. Qed.

Lemma zero_is e t : is_number 0 t = true -> ev e t = 0.
Proof. intros H. rewrite (is_number_ok e _ _ H). apply Q2R_is_0. Qed.
Lemma one_is e t : is_number 1 t = true -> ev e t = 1.
Proof. intros H. rewrite (is_number_ok e _ _ H). apply Q2R_is_1. Qed.

Lemma plus_placed_ok e a b : ev e (plus_placed a b) = ev e a + ev e b.
Proof.
  assert (K : ev e (if is_number 0 a then b else if is_number 0 b then a else Add a b) = ev e a + ev e b).
  { destruct (is_number 0 a) eqn:A; [rewrite (zero_is e _ A); ring|].
    destruct (is_number 0 b) eqn:B; [rewrite (zero_is e _ B); ring|]. reflexivity. }
  unfold plus_placed. destruct a; try exact K. destruct b; try exact K.
  rewrite of_number_ok, Q2R_add. simpl. rewrite !number_ok. reflexivity.
Qed.

Lemma times_placed_ok e a b : ev e (times_placed a b) = ev e a * ev e b.
Proof.
  assert (K : ev e (if is_number 0 a || is_number 0 b then Num 0 1
      else if is_number 1 a then b else if is_number 1 b then a else Mul a b) = ev e a * ev e b).
  { destruct (is_number 0 a) eqn:A; [rewrite (zero_is e _ A); simpl; unfold number; ring|].
    destruct (is_number 0 b) eqn:B; [rewrite (zero_is e _ B); simpl; unfold number; ring|]. simpl.
    destruct (is_number 1 a) eqn:C; [rewrite (one_is e _ C); ring|].
    destruct (is_number 1 b) eqn:D; [rewrite (one_is e _ D); ring|]. reflexivity. }
  unfold times_placed. destruct a; try exact K. destruct b; try exact K.
  rewrite of_number_ok, Q2R_mul. simpl. rewrite !number_ok. reflexivity.
Qed.

Lemma power_of_1 k : power 1 k = 1.
Proof. destruct k; [reflexivity | rewrite power_pos, pow1; reflexivity | rewrite power_neg, pow1, Rinv_1; reflexivity]. Qed.
Lemma power_of_0 p : power 0 (Zpos p) = 0.
Proof. rewrite power_pos, pow_i by lia. reflexivity. Qed.

Lemma qpow_ok x n : Q2R (qpow x n) = Q2R x ^ Pos.to_nat n.
Proof.
  induction n as [n IH|n IH|]; cbn [qpow]; rewrite ?Q2R_mul, ?IH.
  - rewrite Pos2Nat.inj_xI. simpl pow. rewrite <- pow_add. f_equal. f_equal. lia.
  - rewrite Pos2Nat.inj_xO, <- pow_add. f_equal. lia.
  - simpl. ring.
Qed.

Lemma inverted x y n : Q2R x * Q2R y = 1 -> Q2R (qpow y n) = power (Q2R x) (Zneg n).
Proof.
  intros H. assert (N : Q2R x <> 0) by (intro E; rewrite E in H; lra). rewrite qpow_ok, power_neg.
  replace (Q2R y) with (/ Q2R x); [apply pow_inv|]. apply (Rmult_eq_reg_l (Q2R x)); [rewrite H; field|]; assumption.
Qed.

Lemma power_placed_ok e a k : ev e (power_placed a k) = power (ev e a) k.
Proof.
  assert (Up : forall p q m, ev e (of_number (qpow (Qmake p q) m)) = power (ev e (Num p q)) (Zpos m)).
  { intros. cbn [ev]. rewrite of_number_ok, number_ok, qpow_ok, power_pos. reflexivity. }
  assert (Down : forall p q p' q' m, Q2R (Qmake p q) * Q2R (Qmake p' q') = 1 ->
      ev e (of_number (qpow (Qmake p' q') m)) = power (ev e (Num p q)) (Zneg m)).
  { intros. cbn [ev]. rewrite of_number_ok, number_ok. apply inverted. assumption. }
  unfold power_placed. destruct a; try (destruct k; reflexivity). destruct p, k; try reflexivity; try apply Up; apply Down;
    unfold Q2R; simpl Qnum; simpl Qden; change (IZR (Zneg ?a)) with (- IZR (Zpos a)); field;
    split; apply IZR_neq; discriminate.
Qed.

Lemma root_placed_ok e a k : ev e (root_placed a k) = power (sqrt (ev e a)) k.
Proof.
  unfold root_placed. destruct k;
    [| destruct (is_number 0 a) eqn:A; [rewrite (zero_is e _ A), sqrt_0, power_of_0; reflexivity|] |];
    (destruct (is_number 1 a) eqn:B; [rewrite (one_is e _ B), sqrt_1, power_of_1|]; reflexivity).
Qed.

Lemma fun_placed_ok e f a : ev e (fun_placed f a) = apply f (ev e a).
Proof.
  unfold fun_placed. destruct (is_number 0 a) eqn:A; [|reflexivity]. rewrite (zero_is e _ A).
  destruct f; simpl; rewrite ?(zero_is e _ A); unfold number; symmetry.
  - apply exp_0.
  - reflexivity.
  - apply sinh_0.
  - apply cosh_0.
  - unfold tanh. rewrite sinh_0. unfold Rdiv. ring.
  - apply sin_0.
  - apply cos_0.
  - apply asin_0.
  - apply atan_0.
  - apply Rabs_R0.
Qed.

Lemma placed_ok n e t : (forall i, (n <= i)%nat -> nth i e 0 = 0) -> ev e (placed n t) = ev e t.
Proof.
  intros Z. induction t; simpl; try reflexivity.
  - destruct (Nat.leb_spec n i) as [L|L]; [|reflexivity]. rewrite (Z i L). reflexivity.
  - rewrite plus_placed_ok, IHt1, IHt2. reflexivity.
  - rewrite times_placed_ok, IHt1, IHt2. reflexivity.
  - rewrite power_placed_ok, IHt. reflexivity.
  - rewrite root_placed_ok, IHt. reflexivity.
  - rewrite IHt1, IHt2. reflexivity.
  - rewrite fun_placed_ok, IHt. reflexivity.
Qed.

(* --- what must hold for a formula to be continuous -------------------------------------------------------------------- *)

Fixpoint demanded (t : formula) : list (rel * formula) :=
  match t with
  | Var _ | Num _ _ | Pi => []
  | Add a b | Mul a b => demanded a ++ demanded b
  | Pow a (Zneg _) => (Ne0, a) :: demanded a
  | Pow a _ => demanded a
  | Root a (Zneg _) => (Gt0, a) :: demanded a
  | Root a _ => demanded a
  | Exponential a b => (Gt0, a) :: demanded a ++ demanded b
  | Fun Log a => (Gt0, a) :: demanded a
  | Fun Asin a => (Gt0, inside_arc a) :: demanded a
  | Fun _ a => demanded a
  end.

Lemma continuous_power c k : c <> 0 \/ (0 <= k)%Z -> continuous (fun y => power y k) c.
Proof.
  intros H. destruct (Z.eq_dec k 0) as [->|N]; [apply continuous_const|].
  apply (@ex_derive_continuous R_AbsRing R_NormedModule). eexists. apply derive_power. destruct H; [left; assumption | right; lia].
Qed.

Lemma continuous_sqrt_at c : continuous sqrt c.
Proof.
  apply continuity_pt_filterlim. destruct (Rle_lt_dec 0 c) as [P|P]; [apply continuity_pt_sqrt; exact P|].
  apply continuity_pt_filterlim. apply (continuous_ext_loc _ (fun _ => 0)); [|apply continuous_const].
  assert (E : 0 < - c) by lra. exists (mkposreal (- c) E). intros y B. symmetry. apply sqrt_neg_0.
  change (Rabs (y - c) < - c) in B. apply Rabs_def2 in B. simpl. lra.
Qed.

Lemma continuous_apply f y : match f with Log => 0 < y | Asin => -1 < y < 1 | _ => True end -> continuous (apply f) y.
Proof.
  destruct (func_eqb f Abs) eqn:A.
  - apply func_eqb_ok in A. subst. intros _. apply continuity_pt_filterlim, Rcontinuity_abs.
  - intros H. apply (@ex_derive_continuous R_AbsRing R_NormedModule). eexists. apply derive_outer.
    destruct f; try exact H. discriminate A.
Qed.

Section Near.
Context {T : Type} (F : (T -> Prop) -> Prop) {FF : Filter F}.
(* letters as functions of what moves, and where they go *)
Variable qs : list (T -> R).
Variable z : list R.
Definition course (v : T) : list R := map (fun q : T -> R => q v) qs.
Definition goes : Prop := Forall2 (fun q c => filterlim q F (locally c)) qs z.
Hypothesis all_go : goes.

Lemma letter_goes i : filterlim (fun v => nth i (course v) 0) F (locally (nth i z 0)).
Proof.
  unfold course. assert (A := all_go). unfold goes in A. clear all_go. revert i. induction A as [|q c qs' z' Q A IH]; intros i.
  - destruct i; apply filterlim_const.
  - destruct i; [exact Q | apply IH].
Qed.

Lemma through (f : R -> R) (c : R) (g : T -> R) : continuous f c -> filterlim g F (locally c) -> filterlim (fun v => f (g v)) F (locally (f c)).
Proof. intros C G. exact (filterlim_comp _ _ _ g f F (locally c) (locally (f c)) G C). Qed.

Lemma sum_goes (a b : R) (f g : T -> R) :
  filterlim f F (locally a) -> filterlim g F (locally b) -> filterlim (fun v => f v + g v) F (locally (a + b)).
Proof. intros A B. exact (filterlim_comp_2 f g Rplus A B (@filterlim_plus R_AbsRing R_NormedModule a b)). Qed.
Lemma product_goes (a b : R) (f g : T -> R) :
  filterlim f F (locally a) -> filterlim g F (locally b) -> filterlim (fun v => f v * g v) F (locally (a * b)).
Proof. intros A B. exact (filterlim_comp_2 f g Rmult A B (@filterlim_mult R_AbsRing a b)). Qed.

Theorem continuous_ok t : met z (demanded t) -> filterlim (fun v => ev (course v) t) F (locally (ev z t)).
Proof.
  induction t; cbn [demanded ev]; intros M.
  - apply letter_goes.
  - apply filterlim_const.
  - apply filterlim_const.
  - apply met_app in M. destruct M. apply sum_goes; auto.
  - apply met_app in M. destruct M. apply product_goes; auto.
  - apply (through (fun y => power y k)).
    + apply continuous_power. destruct k; [right; lia | right; lia | left; exact (proj1 M)].
    + apply IHt. destruct k; [exact M | exact M | exact (proj2 M)].
  - apply (through (fun y => power y k) (sqrt (ev z t)) (fun v => sqrt (ev (course v) t))).
    + apply continuous_power. destruct k; [right; lia | right; lia | left]. assert (P := sqrt_lt_R0 _ (proj1 M)). lra.
    + apply (through sqrt); [apply continuous_sqrt_at|]. apply IHt. destruct k; [exact M | exact M | exact (proj2 M)].
  - destruct M as [P M]. apply met_app in M. destruct M. unfold Rpower.
    apply (through exp); [apply (continuous_apply Exp); exact I|]. apply product_goes; [auto|].
    apply (through ln); [apply (continuous_apply Log); exact P | auto].
  - assert (K : match f with Log => 0 < ev z t | Asin => -1 < ev z t < 1 | _ => True end /\ met z (demanded t)).
    { destruct f; try (split; [exact I | exact M]); destruct M as [N M]; (split; [|exact M]); simpl in N.
      - exact N.
      - unfold number in N. nra. }
    apply (through (apply f)); [apply continuous_apply; tauto | apply IHt; tauto].
Qed.

(* a relation to zero that holds at the place holds near it *)
Lemma holds_near r (f : T -> R) (c : R) : filterlim f F (locally c) -> r = Gt0 \/ r = Ne0 -> compare r c 0 ->
  F (fun v => compare r (f v) 0).
Proof.
  intros L [->| ->] H.
  - exact (L (fun y => 0 < y) (open_gt 0 c H)).
  - exact (L (fun y => y <> 0) (open_neq 0 c H)).
Qed.

(* --- what holds near the place, and at it ------------------------------------------------------------------------------ *)

Variable n : nat.
Hypothesis at_zero : forall i, (n <= i)%nat -> nth i z 0 = 0.
(* relations that hold near the place, and at it *)
Variables near there : list relation.
Hypothesis all_near : F (fun v => all_valid (course v) near).
Hypothesis all_there : all_valid z there.

Definition placed_relation (s : relation) : relation := let '(r, a, b) := s in (r, placed n a, b).
Definition is_there (c : rel * formula) : bool :=
  match placed n (snd c) with
  | Num p q => number_is (fst c) (Qmake p q)
  | t => is_so (there ++ map placed_relation there) (fst c) t
  end.
Definition stays (t : formula) : bool := forallb is_there (demanded t).
Definition strict (r : rel) : rel := match r with Ge0 => Gt0 | _ => r end.
Definition is_seen (c : rel * formula) : bool :=
  is_so near (fst c) (snd c)
  || match fst c with Eq0 => false | r => stays (snd c) && is_there (strict r, snd c) end.

Lemma placed_there : all_valid z (there ++ map placed_relation there).
Proof.
  assert (K : forall l, all_valid z l -> all_valid z (map placed_relation l)).
  { induction l as [|[[r a] b] l IH]; simpl; [trivial|]. intros [H K]. split; [|auto].
    rewrite (placed_ok n z a at_zero). exact H. }
  assert (A : forall l m, all_valid z l -> all_valid z m -> all_valid z (l ++ m)).
  { induction l as [|s l IH]; simpl; [trivial|]. intros m [H V] M. split; auto. }
  apply A; [exact all_there | exact (K there all_there)].
Qed.

Lemma is_there_ok r t : is_there (r, t) = true -> compare r (ev z t) 0.
Proof.
  unfold is_there. simpl. rewrite <- (placed_ok n z t at_zero). intros H.
  destruct (placed n t); try exact (is_so_ok z _ placed_there r _ H).
  cbn [ev]. rewrite number_ok. apply number_is_ok. exact H.
Qed.

Lemma stays_ok t : stays t = true -> met z (demanded t).
Proof.
  unfold stays. induction (demanded t) as [|[r a] l IH]; simpl; [trivial|]. intros H. apply andb_prop in H.
  destruct H. split; [apply is_there_ok; assumption | auto].
Qed.

Lemma is_seen_ok r t : is_seen (r, t) = true -> F (fun v => compare r (ev (course v) t) 0).
Proof.
  unfold is_seen. simpl. intros H. apply orb_prop in H. destruct H as [H|H].
  - apply (filter_imp (fun v => all_valid (course v) near)); [|exact all_near].
    intros v V. exact (is_so_ok (course v) near V r t H).
  - assert (K : stays t && is_there (strict r, t) = true /\ r <> Eq0) by (destruct r; try discriminate H; split; (exact H || discriminate)).
    destruct K as [K N]. apply andb_prop in K. destruct K as [S P]. apply is_there_ok in P.
    assert (L := continuous_ok t (stays_ok t S)).
    apply (filter_imp (fun v => compare (strict r) (ev (course v) t) 0)).
    + intros v. destruct r; simpl; intros; lra.
    + apply (holds_near _ _ (ev z t) L); [|exact P]. destruct r; simpl; auto. contradiction N; reflexivity.
Qed.

Fixpoint near_positive (t : formula) : bool :=
  is_seen (Gt0, t) || match t with Mul a b => near_positive a && near_positive b | _ => false end.

Lemma near_positive_ok t : near_positive t = true -> F (fun v => 0 < ev (course v) t).
Proof.
  induction t; cbn [near_positive]; rewrite ?orb_false_r; try (intros H; exact (is_seen_ok Gt0 _ H)).
  intros H. apply orb_prop in H. destruct H as [H|H]; [exact (is_seen_ok Gt0 _ H)|].
  apply andb_prop in H. destruct H as [A B]. generalize (filter_and _ _ (IHt1 A) (IHt2 B)). apply filter_imp.
  intros v [P Q]. apply Rmult_lt_0_compat; assumption.
Qed.

Definition is_near (c : rel * formula) : bool :=
  is_seen c || match fst c with Eq0 => false | _ => near_positive (snd c) end.

Lemma is_near_ok r t : is_near (r, t) = true -> F (fun v => compare r (ev (course v) t) 0).
Proof.
  unfold is_near. simpl. intros H. apply orb_prop in H. destruct H as [H|H]; [exact (is_seen_ok r t H)|].
  destruct r; try discriminate H; generalize (near_positive_ok t H); apply filter_imp; intros v; simpl; lra.
Qed.

Definition difference_of (s : relation) : rel * formula :=
  let '(r, a, b) := s in (r, if is_number 0 b then a else Add a (Mul (Num (-1) 1) b)).
Lemma difference_of_ok e r a b : compare r (ev e (snd (difference_of (r, a, b)))) 0 -> compare r (ev e a) (ev e b).
Proof.
  simpl. destruct (is_number 0 b) eqn:B; [rewrite (zero_is e _ B); trivial|].
  cbn [ev]. unfold number. destruct r; simpl; intros; lra.
Qed.

Definition same_relation (s t : relation) : bool :=
  let '(r, a, b) := s in let '(r', a', b') := t in rel_eqb r r' && same a a' && same b b'.
Definition listed (s : relation) (l : list relation) : bool := existsb (same_relation s) l.
Lemma listed_ok e s l : listed s l = true -> all_valid e l -> valid e s.
Proof.
  unfold listed. rewrite existsb_exists. intros [[[r a] b] [I S]] V. destruct s as [[r' a'] b'].
  simpl in S. apply andb_prop in S. destruct S as [S B]. apply andb_prop in S. destruct S as [R A].
  apply same_ok in A. apply same_ok in B. subst. assert (r' = r) by (destruct r, r'; try discriminate R; reflexivity).
  subst. exact (in_valid e l _ V I).
Qed.

Definition all_is_near (l : list relation) : bool := forallb (fun s => listed s near || is_near (difference_of s)) l.
Definition all_is_there (l : list relation) : bool := forallb (fun s => listed s there || is_there (difference_of s)) l.

Lemma all_is_near_ok l : all_is_near l = true -> F (fun v => all_valid (course v) l).
Proof.
  unfold all_is_near. induction l as [|[[r a] b] l IH]; simpl all_valid; intros H; [apply filter_true|].
  cbn [forallb] in H. apply andb_prop in H. destruct H as [H K]. apply filter_and; [|apply IH; exact K].
  apply orb_prop in H. destruct H as [H|H].
  - apply (filter_imp (fun v => all_valid (course v) near)); [|exact all_near].
    intros v V. exact (listed_ok (course v) _ _ H V).
  - apply (filter_imp (fun v => compare r (ev (course v) (snd (difference_of (r, a, b)))) 0)).
    + intros v. apply difference_of_ok.
    + apply is_near_ok. exact H.
Qed.

Lemma all_is_there_ok l : all_is_there l = true -> all_valid z l.
Proof.
  unfold all_is_there. induction l as [|[[r a] b] l IH]; simpl all_valid; intros H; [exact I|].
  cbn [forallb] in H. apply andb_prop in H. destruct H as [H K]. split; [|apply IH; exact K].
  apply orb_prop in H. destruct H as [H|H]; [exact (listed_ok z _ _ H all_there)|].
  apply difference_of_ok, is_there_ok. exact H.
Qed.

(* --- quantities that go to zero ------------------------------------------------------------------------------------------- *)

Fixpoint inverse (t : formula) : formula :=
  match t with
  | Mul a b => Mul (inverse a) (inverse b)
  | Pow a k => Pow a (- k)
  | Root a k => Root a (- k)
  | _ => Pow t (-1)
  end.

Lemma power_opp x k : power x (- k) = / power x k.
Proof.
  destruct k; simpl Z.opp; [simpl; field | rewrite power_pos, power_neg | rewrite power_pos, power_neg, Rinv_inv]; reflexivity.
Qed.

Lemma inverse_ok e t : ev e (inverse t) = / ev e t.
Proof.
  induction t; try reflexivity; cbn [inverse ev].
  - rewrite IHt1, IHt2, Rinv_mult. reflexivity.
  - apply power_opp.
  - apply power_opp.
Qed.

Lemma is_small t : stays t && is_number 0 (placed n t) = true ->
  forall d, 0 < d -> F (fun v => Rabs (ev (course v) t) < d).
Proof.
  intros H d D. apply andb_prop in H. destruct H as [S Z]. assert (L := continuous_ok t (stays_ok t S)).
  rewrite <- (placed_ok n z t at_zero), (zero_is z _ Z) in L.
  generalize (L _ (@locally_ball R_UniformSpace 0 (mkposreal d D))). unfold filtermap. apply filter_imp. intros v B.
  change (Rabs (ev (course v) t - 0) < d) in B. rewrite Rminus_0_r in B. exact B.
Qed.

Lemma goes_to_0 (f : T -> R) : (forall d, 0 < d -> F (fun v => 0 < f v < d)) -> filterlim f F (locally 0).
Proof.
  intros H P [d L]. unfold filtermap. generalize (H d (cond_pos d)). apply filter_imp. intros v B. apply L.
  change (Rabs (f v - 0) < d). rewrite Rminus_0_r, Rabs_right; lra.
Qed.

(* an exponential of minus what grows *)
Theorem decays d : stays (inverse d) && is_number 0 (placed n (inverse d)) && near_positive d = true ->
  filterlim (fun v => ev (course v) (Fun Exp (Mul (Num (-1) 1) d))) F (locally 0).
Proof.
  intros H. apply andb_prop in H. destruct H as [S P]. apply goes_to_0. intros a A.
  generalize (filter_and _ _ (is_small _ S a A) (near_positive_ok d P)). apply filter_imp. intros v [L Q].
  rewrite inverse_ok in L. cbn [ev apply]. unfold number. set (y := ev (course v) d) in *. split; [apply exp_pos|].
  assert (I := Rinv_0_lt_compat y Q). rewrite Rabs_right in L by lra. rewrite exp_minus. assert (K := exp_ineq1 y).
  apply (Rlt_trans _ (/ y)); [|exact L]. apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; [exact Q | apply exp_pos] | lra].
Qed.

(* one over minus the logarithm of what goes to zero *)
Theorem slow d : stays d && is_number 0 (placed n d) && near_positive d = true ->
  filterlim (fun v => ev (course v) (Mul (Num (-1) 1) (Pow (Fun Log d) (-1)))) F (locally 0).
Proof.
  intros H. apply andb_prop in H. destruct H as [S P]. apply goes_to_0. intros a A.
  generalize (filter_and _ _ (is_small _ S (exp (- / a)) (exp_pos _)) (near_positive_ok d P)). apply filter_imp.
  intros v [L Q]. cbn [ev apply power]. unfold number. set (y := ev (course v) d) in *. rewrite Rabs_right in L by lra.
  assert (K := ln_increasing y _ Q L). rewrite ln_exp in K. assert (I := Rinv_0_lt_compat a A).
  assert (N : 0 < - ln y) by lra. assert (M := Rinv_0_lt_compat _ N).
  replace (-1 * / ln y) with (/ - ln y) by (field; lra). split; [exact M|].
  rewrite <- (Rinv_inv a). apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra | lra].
Qed.

(* --- limits -------------------------------------------------------------------------------------------------------------- *)

(* the expression is near the place equal to a continuous form, whose value where the letters are zero is the limit *)
Theorem tends (expr : T -> R) form left value m :
  F (fun v => expr v = ev (course v) form) ->
  (forall e, all_valid e m -> compare Eq0 (ev e left) (ev e value)) ->
  all_is_there m && stays form && alike (placed n form) (placed n left) = true ->
  filterlim expr F (locally (ev z value)).
Proof.
  intros E V H. apply andb_prop in H. destruct H as [H A]. apply andb_prop in H. destruct H as [M S].
  rewrite <- (V z (all_is_there_ok m M)), <- (placed_ok n z left at_zero), <- (alike_ok z _ _ A), (placed_ok n z form at_zero).
  apply (filterlim_ext_loc (fun v => ev (course v) form)); [|exact (continuous_ok form (stays_ok form S))].
  generalize E. apply filter_imp. auto.
Qed.

(* what is a product of such, up to its sign, has a sign near the place *)
Theorem sign_near of form l (up : bool) :
  (forall e, all_valid e l -> compare Eq0 (ev e of) (ev e (if up then form else Mul (Num (-1) 1) form))) ->
  all_is_near l && near_positive form = true ->
  F (fun v => all_valid (course v) ((if up then Gt0 else Ne0, of, Num 0 1) :: near)).
Proof.
  intros E H. apply andb_prop in H. destruct H as [N P].
  generalize (filter_and _ _ all_near (filter_and _ _ (all_is_near_ok l N) (near_positive_ok form P))). apply filter_imp.
  intros v [V [L Q]]. split; [|exact V]. specialize (E _ L). destruct up; simpl in E |- *; unfold number in *; lra.
Qed.

(* one over what is positive near the place and zero there grows without bound *)
Theorem grows (expr : T -> R) form (up : bool) :
  F (fun v => expr v = ev (course v) (if up then Pow form (-1) else Mul (Num (-1) 1) (Pow form (-1)))) ->
  stays form && is_number 0 (placed n form) && near_positive form = true ->
  forall M, F (fun v => if up then M < expr v else expr v < M).
Proof.
  intros E H M. apply andb_prop in H. destruct H as [S P].
  assert (B : 0 < / (Rabs M + 1)) by (apply Rinv_0_lt_compat; assert (K := Rabs_pos M); lra).
  generalize (filter_and _ _ E (filter_and _ _ (near_positive_ok form P) (is_small form S _ B))). apply filter_imp.
  intros v [A [Q C]]. rewrite A. clear A E. rewrite Rabs_right in C by lra.
  assert (D : Rabs M + 1 < / ev (course v) form).
  { rewrite <- (Rinv_inv (Rabs M + 1)). apply Rinv_lt_contravar; [|exact C]. apply Rmult_lt_0_compat; [exact Q | exact B]. }
  assert (U := Rle_abs M). assert (W := Rle_abs (- M)). rewrite Rabs_Ropp in W.
  destruct up; simpl; unfold number; lra.
Qed.

End Near.

(* --- places --------------------------------------------------------------------------------------------------------------- *)

Definition at_0 (P : R -> Prop) : Prop := exists d, 0 < d /\ forall x, 0 < x < d -> P x.
Definition at_00 (P : R * R -> Prop) : Prop := exists d, 0 < d /\ forall x y, 0 < x < d -> 0 < y < d -> P (x, y).

Global Instance filter_0 : Filter at_0.
Proof.
  constructor.
  - exists 1. split; [lra | trivial].
  - intros P Q [d [D H]] [c [C K]]. exists (Rmin d c). split; [apply Rmin_pos; assumption|]. intros x [A B].
    split; [apply H | apply K]; (split; [exact A|]); eapply Rlt_le_trans; eauto using Rmin_l, Rmin_r.
  - intros P Q I [d [D H]]. exists d. split; [exact D | auto].
Qed.

Global Instance filter_00 : Filter at_00.
Proof.
  constructor.
  - exists 1. split; [lra | trivial].
  - intros P Q [d [D H]] [c [C K]]. exists (Rmin d c). split; [apply Rmin_pos; assumption|]. intros x y [A B] [A' B'].
    split; [apply H | apply K]; (split; [assumption|]); eapply Rlt_le_trans; eauto using Rmin_l, Rmin_r.
  - intros P Q I [d [D H]]. exists d. split; [exact D | auto].
Qed.

Lemma is_ball (x d : R) : ball 0 d x <-> Rabs x < d.
Proof.
  change (Rabs (x - 0) < d <-> Rabs x < d). rewrite Rminus_0_r. tauto.
Qed.

Lemma goes_0 : Forall (fun q : R -> R => filterlim q at_0 (locally 0)) [fun x => x].
Proof.
  constructor; [|constructor]. intros P [d H]. exists d. split; [apply cond_pos|]. intros x X. apply H, is_ball.
  rewrite Rabs_right; lra.
Qed.
Lemma goes_00 : Forall (fun q : R * R -> R => filterlim q at_00 (locally 0)) [fst; snd].
Proof.
  repeat constructor; intros P [d H]; exists d; (split; [apply cond_pos|]); intros x y X Y; apply H, is_ball; simpl;
    rewrite Rabs_right; lra.
Qed.

Lemma to_infinity (G : R -> Prop) : at_0 (fun q => G (/ q)) -> exists b, forall x, b < x -> G x.
Proof.
  intros [d [D H]]. exists (/ d). intros x X. assert (P := Rinv_0_lt_compat d D).
  rewrite <- (Rinv_involutive x) by lra. apply H. split; [apply Rinv_0_lt_compat; lra|].
  rewrite <- (Rinv_involutive d) by lra. apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra | exact X].
Qed.
Lemma to_minus_infinity (G : R -> Prop) : at_0 (fun q => G (-1 * / q)) -> exists b, forall x, x < b -> G x.
Proof.
  intros H. destruct (to_infinity (fun x => G (-1 * x)) H) as [b K]. exists (- b). intros x X.
  replace x with (-1 * - x) by ring. apply K. lra.
Qed.
Lemma from_above c (G : R -> Prop) : at_0 (fun q => G (c + q)) -> exists d, 0 < d /\ forall x, 0 < x - c < d -> G x.
Proof.
  intros [d [D H]]. exists d. split; [exact D|]. intros x X. replace x with (c + (x - c)) by ring. apply H. exact X.
Qed.
Lemma from_below c (G : R -> Prop) : at_0 (fun q => G (c + -1 * q)) -> exists d, 0 < d /\ forall x, 0 < c - x < d -> G x.
Proof.
  intros [d [D H]]. exists d. split; [exact D|]. intros x X. replace x with (c + -1 * (c - x)) by ring. apply H. exact X.
Qed.

(* what holds near the place does so at points as near to it as one asks *)
Lemma often_0 (A B : R -> Prop) : at_0 A -> at_0 (fun x => A x -> B x) ->
  forall d, 0 < d -> exists x, 0 < x < d /\ A x /\ B x.
Proof.
  intros H K d D. destruct (filter_and _ _ H K) as [c [C N]]. assert (M := Rmin_pos c d C D). exists (Rmin c d / 2).
  assert (U := Rmin_l c d). assert (V := Rmin_r c d). destruct (N (Rmin c d / 2)) as [P Q]; [lra|]. split; [lra | auto].
Qed.
Lemma often_00 (A B : R * R -> Prop) : at_00 A -> at_00 (fun v => A v -> B v) ->
  forall d, 0 < d -> exists x y, 0 < x < d /\ 0 < y < d /\ A (x, y) /\ B (x, y).
Proof.
  intros H K d D. destruct (filter_and _ _ H K) as [c [C N]]. assert (M := Rmin_pos c d C D).
  exists (Rmin c d / 2), (Rmin c d / 2). assert (U := Rmin_l c d). assert (V := Rmin_r c d).
  destruct (N (Rmin c d / 2) (Rmin c d / 2)) as [P Q]; [lra | lra |]. repeat split; try lra; auto.
Qed.
Lemma often_up (G : R -> Prop) : (forall d, 0 < d -> exists q, 0 < q < d /\ G (/ q)) -> forall b, exists x, b < x /\ G x.
Proof.
  intros H b. assert (B := Rle_abs b). assert (P := Rabs_pos b).
  destruct (H (/ (Rabs b + 1))) as [q [[Q L] K]]; [apply Rinv_0_lt_compat; lra|]. exists (/ q). split; [|exact K].
  assert (Rabs b + 1 < / q); [|lra]. rewrite <- (Rinv_involutive (Rabs b + 1)) by lra.
  apply Rinv_lt_contravar; [|exact L]. apply Rmult_lt_0_compat; [exact Q | apply Rinv_0_lt_compat; lra].
Qed.
Lemma often_down (G : R -> Prop) : (forall d, 0 < d -> exists q, 0 < q < d /\ G (-1 * / q)) -> forall b, exists x, x < b /\ G x.
Proof.
  intros H b. destruct (often_up (fun x => G (-1 * x)) H (- b)) as [x [X K]]. exists (-1 * x). split; [lra | exact K].
Qed.
Lemma apart_by a b c d : Rabs (a - b) < d -> d <= Rabs (b - c) / 2 -> d <= Rabs (a - c).
Proof.
  intros A B. assert (K := Rabs_triang (a - c) (b - a)). replace (a - c + (b - a)) with (b - c) in K by ring.
  rewrite (Rabs_minus_sym b a) in K. lra.
Qed.
Lemma far_up a c : Rabs c + 1 < a -> 1 <= Rabs (a - c).
Proof. intros A. assert (K := Rle_abs c). assert (L := Rle_abs (a - c)). lra. Qed.
Lemma far_down a c : a < - (Rabs c + 1) -> 1 <= Rabs (a - c).
Proof. intros A. rewrite Rabs_minus_sym. assert (K := Rle_abs (- c)). rewrite Rabs_Ropp in K. assert (L := Rle_abs (c - a)). lra. Qed.

Lemma begin_0 : at_0 (fun x => 0 < x /\ True).
Proof. exists 1. split; [lra | intros x X; tauto]. Qed.
Lemma begin_00 : at_00 (fun v => 0 < fst v /\ 0 < snd v /\ True).
Proof. exists 1. split; [lra | simpl; intros x y X Y; tauto]. Qed.

(* --- statements ----------------------------------------------------------------------------------------------------------- *)

Lemma all_letters_go {T : Type} (F : (T -> Prop) -> Prop) {FF : Filter F} (e : list R) (moves : list (T -> R)) :
  Forall (fun q : T -> R => filterlim q F (locally 0)) moves ->
  goes F (map (fun c _ => c) e ++ moves) (e ++ map (fun _ => 0) moves).
Proof.
  intros M. induction e as [|c e IH]; simpl.
  - induction M as [|q l Q A IH]; constructor; assumption.
  - constructor; [apply filterlim_const | exact IH].
Qed.

Section Statements.
Context {T : Type} (F : (T -> Prop) -> Prop) {FF : Filter F}.
Variables (e : list R) (moves : list (T -> R)) (near there : list relation).
Definition letters_of : list (T -> R) := map (fun c _ => c) e ++ moves.
Definition place_of : list R := e ++ map (fun _ => 0) moves.
Hypothesis move : Forall (fun q : T -> R => filterlim q F (locally 0)) moves.
Hypothesis all_there : all_valid place_of there.
Let spoken (v : T) : Prop := all_valid (course letters_of v) near.

Lemma all_go : goes (within spoken F) letters_of place_of.
Proof.
  apply (all_letters_go _ e moves). revert move. apply Forall_impl. intros q Q P H.
  unfold filtermap, within. apply (filter_imp (fun v => P (q v))); [auto | exact (Q P H)].
Qed.

Lemma from_e : forall i, (length e <= i)%nat -> nth i place_of 0 = 0.
Proof.
  unfold place_of. intros i L. rewrite app_nth2 by exact L. generalize (i - length e)%nat. clear.
  induction moves; intros [|k]; simpl; auto.
Qed.

Lemma all_near : within spoken F (fun v => all_valid (course letters_of v) near).
Proof. unfold within. apply (filter_imp (fun _ => True)); [auto | apply filter_true]. Qed.

Definition all_there_ok l := all_is_there_ok place_of (length e) from_e there all_there l.
Theorem all_near_ok (N : F (fun v => all_valid (course letters_of v) near)) l :
  all_is_near (length e) near there l = true -> F (fun v => all_valid (course letters_of v) l).
Proof. exact (all_is_near_ok F letters_of place_of (all_letters_go F e moves move) (length e) from_e near there N all_there l). Qed.
Theorem sign_near_ok (N : F (fun v => all_valid (course letters_of v) near)) of form l (up : bool) :
  (forall e, all_valid e l -> compare Eq0 (ev e of) (ev e (if up then form else Mul (Num (-1) 1) form))) ->
  all_is_near (length e) near there l && near_positive (length e) near there form = true ->
  F (fun v => all_valid (course letters_of v) ((if up then Gt0 else Ne0, of, Num 0 1) :: near)).
Proof.
  exact (sign_near F letters_of place_of (all_letters_go F e moves move) (length e) from_e near there N all_there of form l up).
Qed.

(* two formulas have the same value near the place *)
Definition agree (s t : formula) : Prop :=
  within spoken F (fun v => ev (course letters_of v) s = ev (course letters_of v) t).

Lemma agree_trans s t u : agree s t -> agree t u -> agree s u.
Proof.
  unfold agree. intros A B. generalize (filter_and _ _ A B). apply filter_imp. intros v [C D]. congruence.
Qed.

Definition count : nat := length e + length moves.
Definition put_relation (stand : list formula) (s : relation) : relation :=
  let '(r, a, b) := s in (r, put_all count stand a, put_all count stand b).

Lemma course_length v : length (course letters_of v) = count.
Proof. unfold course, letters_of, count. rewrite map_length, app_length, map_length. reflexivity. Qed.

(* a formula takes the place of another *)
Fixpoint replaces (old new s t : formula) : bool :=
  same s t || (same s old && same t new)
  || match s, t with
     | Add a b, Add a' b' | Mul a b, Mul a' b' | Exponential a b, Exponential a' b' =>
         replaces old new a a' && replaces old new b b'
     | Pow a k, Pow a' k' | Root a k, Root a' k' => Z.eqb k k' && replaces old new a a'
     | Fun f a, Fun g a' => func_eqb f g && replaces old new a a'
     | _, _ => false
     end.

Lemma replaces_ok x old new s : forall t, ev x old = ev x new -> replaces old new s t = true -> ev x s = ev x t.
Proof.
  induction s; intros t E H; cbn [replaces] in H; apply orb_prop in H; destruct H as [H|H];
    try (apply orb_prop in H; destruct H as [H|H]; [apply same_ok in H; subst; reflexivity|];
      apply andb_prop in H; destruct H as [A B]; apply same_ok in A; apply same_ok in B; subst; exact E);
    try discriminate H; destruct t; try discriminate H; apply andb_prop in H; destruct H as [A B]; cbn [ev].
  - rewrite (IHs1 _ E A), (IHs2 _ E B). reflexivity.
  - rewrite (IHs1 _ E A), (IHs2 _ E B). reflexivity.
  - apply Z.eqb_eq in A. subst. rewrite (IHs _ E B). reflexivity.
  - apply Z.eqb_eq in A. subst. rewrite (IHs _ E B). reflexivity.
  - rewrite (IHs1 _ E A), (IHs2 _ E B). reflexivity.
  - apply func_eqb_ok in A. subst. rewrite (IHs _ E B). reflexivity.
Qed.

Theorem agree_in old new s t : agree old new -> replaces old new s t = true -> agree s t.
Proof. unfold agree. intros A H. generalize A. apply filter_imp. intros v E. exact (replaces_ok _ old new s t E H). Qed.

Definition small (o : formula) : Prop :=
  filterlim (fun v => ev (course letters_of v) o) (within spoken F) (locally 0).

Definition checked_decay d : bool :=
  stays (length e) there (inverse d) && is_number 0 (placed (length e) (inverse d)) && near_positive (length e) near there d.
Theorem decay_small d : checked_decay d = true -> small (Fun Exp (Mul (Num (-1) 1) d)).
Proof. exact (decays _ _ _ all_go _ from_e near there all_near all_there d). Qed.

Definition checked_slow d : bool :=
  stays (length e) there d && is_number 0 (placed (length e) d) && near_positive (length e) near there d.
Theorem slow_small d : checked_slow d = true -> small (Mul (Num (-1) 1) (Pow (Fun Log d) (-1))).
Proof. exact (slow _ _ _ all_go _ from_e near there all_near all_there d). Qed.

(* letters for formulas that go to zero *)
Section With.
Variable os : list formula.
Hypothesis all_small : Forall small os.
Definition all_moves : list (T -> R) := moves ++ map (fun o v => ev (course letters_of v) o) os.
Definition all_place : list R := e ++ map (fun _ => 0) all_moves.

Lemma with_os t v : ev (course (map (fun c _ => c) e ++ all_moves) v) t = ev (course letters_of v) (put_all count os t).
Proof.
  rewrite <- (course_length v), put_all_ok. f_equal. unfold course, letters_of, all_moves.
  rewrite app_assoc, map_app, map_map. reflexivity.
Qed.

Lemma os_go : goes (within spoken F) (map (fun c _ => c) e ++ all_moves) all_place.
Proof.
  apply (all_letters_go _ e all_moves). unfold all_moves. apply Forall_app. split.
  - revert move. apply Forall_impl. intros q Q P H. unfold filtermap, within.
    apply (filter_imp (fun v => P (q v))); [auto | exact (Q P H)].
  - revert all_small. clear. induction os as [|o l IH]; simpl; intros A; inversion A; constructor; auto.
Qed.

Lemma os_from_e : forall i, (length e <= i)%nat -> nth i all_place 0 = 0.
Proof.
  unfold all_place. intros i L. rewrite app_nth2 by exact L. generalize (i - length e)%nat. clear.
  induction all_moves; intros [|k]; simpl; auto.
Qed.

(* formulas that go to zero as letters again *)
Fixpoint position (t : formula) (l : list formula) (k : nat) : option nat :=
  match l with [] => None | o :: l => if same t o then Some k else position t l (S k) end.

Fixpoint abstracted (t : formula) : formula :=
  match position t os count with
  | Some k => Var k
  | None =>
      match t with
      | Add a b => Add (abstracted a) (abstracted b)
      | Mul a b => Mul (abstracted a) (abstracted b)
      | Exponential a b => Exponential (abstracted a) (abstracted b)
      | Pow a k => Pow (abstracted a) k
      | Root a k => Root (abstracted a) k
      | Fun f a => Fun f (abstracted a)
      | _ => t
      end
  end.

Hypothesis all_known : all_valid all_place there.
Variable known : list relation.
Hypothesis all_hold : within spoken F (fun v => all_valid (course letters_of v) known).

Definition holds_with (s : relation) : bool :=
  listed s known || is_near (length e) known there (difference_of s)
  || let (r, a) := difference_of s in
     let t := abstracted a in same (put_all count os t) a && is_near (length e) [] there (r, t).

Lemma holds_with_ok s : holds_with s = true -> within spoken F (fun v => valid (course letters_of v) s).
Proof.
  unfold holds_with. intros H. apply orb_prop in H. destruct H as [H|H]; [apply orb_prop in H; destruct H as [H|H]|].
  - generalize all_hold. apply filter_imp. intros v V. exact (listed_ok _ _ _ H V).
  - destruct s as [[r a] b].
    generalize (is_near_ok _ _ _ all_go _ from_e known there all_hold all_there r _ H). apply filter_imp.
    intros v. apply difference_of_ok.
  - destruct s as [[r a] b]. destruct (difference_of (r, a, b)) as [r' c] eqn:D.
    assert (r' = r) by (simpl in D; injection D; intros; symmetry; assumption). subst r'.
    apply andb_prop in H. destruct H as [S H]. apply same_ok in S.
    assert (N : within spoken F (fun v => all_valid (course (map (fun c _ => c) e ++ all_moves) v) [])) by apply filter_true.
    generalize (is_near_ok _ _ _ os_go _ os_from_e [] there N all_known r _ H). apply filter_imp. intros v V.
    rewrite with_os, S in V. apply difference_of_ok. rewrite D. exact V.
Qed.

Lemma all_hold_with l : forallb holds_with l = true -> within spoken F (fun v => all_valid (course letters_of v) l).
Proof.
  induction l as [|s l IH]; intros H; [apply filter_true|]. simpl in H. apply andb_prop in H. destruct H as [H K].
  generalize (filter_and _ _ (holds_with_ok s H) (IH K)). apply filter_imp. auto.
Qed.

(* letters that stand for formulas are put in *)
Theorem agree_by stand l s t :
  (forall e, all_valid e l -> compare Eq0 (ev e s) (ev e t)) ->
  forallb holds_with (map (put_relation stand) l) = true ->
  agree (put_all count stand s) (put_all count stand t).
Proof.
  unfold agree. intros E H. generalize (all_hold_with _ H). apply filter_imp.
  intros v V. rewrite <- (course_length v), !put_all_ok. apply E. clear - V. induction l as [|[[r a] b] l IH]; [exact I|].
  simpl in V. destruct V as [C V]. rewrite <- (course_length v), !put_all_ok in C. split; [exact C | exact (IH V)].
Qed.

(* what is known with a formula in the place of another *)
Definition same_but (old new : formula) (s t : relation) : bool :=
  let '(r, a, b) := s in let '(r', a', b') := t in rel_eqb r r' && replaces old new a a' && replaces old new b b'.
Theorem known_in old new l : agree old new -> forallb (fun t => existsb (fun s => same_but old new s t) known) l = true ->
  within spoken F (fun v => all_valid (course letters_of v) (l ++ known)).
Proof.
  unfold agree. intros A H. generalize (filter_and _ _ A all_hold). apply filter_imp. intros v [E V].
  induction l as [|t l IH]; [exact V|]. simpl in H. apply andb_prop in H. destruct H as [H K]. split; [|exact (IH K)].
  apply existsb_exists in H. destruct H as [[[r a] b] [J S]]. destruct t as [[r' a'] b']. simpl in S.
  apply andb_prop in S. destruct S as [S B]. apply andb_prop in S. destruct S as [R S].
  assert (C := in_valid _ _ _ V J). simpl in C |- *.
  rewrite <- (replaces_ok _ old new a a' E S), <- (replaces_ok _ old new b b' E B).
  destruct r, r'; try discriminate R; exact C.
Qed.

Definition checked_limit m form left right : bool :=
  all_is_there (length e) there m && stays (length e) there form
  && alike (placed (length e) form) (placed (length e) left) && same (put_all count os form) right.

Theorem limit_is expr form left value right m :
  agree expr right ->
  (forall e, all_valid e m -> compare Eq0 (ev e left) (ev e value)) ->
  checked_limit m form left right = true ->
  forall eps, 0 < eps ->
  F (fun v => all_valid (course letters_of v) near -> Rabs (ev (course letters_of v) expr - ev all_place value) < eps).
Proof.
  intros A V H eps P. apply andb_prop in H. destruct H as [H S]. apply same_ok in S.
  refine (tends (within spoken F) (map (fun c _ => c) e ++ all_moves) all_place os_go (length e) os_from_e there all_known
    (fun v => ev (course letters_of v) expr) form left value m _ V H _ (locally_ball (ev all_place value) (mkposreal eps P))).
  unfold agree in A. generalize A. apply filter_imp. intros v E. rewrite with_os, S. exact E.
Qed.
End With.

Definition checked_growth form : bool :=
  stays (length e) there form && is_number 0 (placed (length e) form) && near_positive (length e) near there form.

Theorem limit_is_infinite expr form (up : bool) :
  agree expr (if up then Pow form (-1) else Mul (Num (-1) 1) (Pow form (-1))) ->
  checked_growth form = true ->
  forall M, F (fun v => all_valid (course letters_of v) near ->
    if up then M < ev (course letters_of v) expr else ev (course letters_of v) expr < M).
Proof.
  intros A H. exact (grows (within spoken F) letters_of place_of all_go (length e) from_e near there all_near all_there
    (fun v => ev (course letters_of v) expr) form up A H).
Qed.

End Statements.
