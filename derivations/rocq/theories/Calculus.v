(* Derivatives of formulas. *)
From Coquelicot Require Export Coquelicot.
From Derivations Require Export Ring.
Local Open Scope R_scope.

(* --- equal by multiplying out, whatever stands for powers below zero and for functions ------------------------------ *)

Fixpoint atoms (t : formula) : list formula :=
  match t with
  | Num _ _ => []
  | Add a b | Mul a b => atoms a ++ atoms b
  | Pow a (Zpos _) => atoms a
  | Pow _ Z0 => []
  | _ => [t]
  end.

Fixpoint place (t : formula) (l : list formula) (k : positive) : option positive :=
  match l with [] => None | s :: l => if same s t then Some k else place t l (Pos.succ k) end.

Fixpoint expanded (l : list formula) (t : formula) : option poly :=
  match t with
  | Num p q => Some (pconst (Qmake p q))
  | Add a b => match expanded l a, expanded l b with Some p, Some q => Some (padd p q) | _, _ => None end
  | Mul a b => match expanded l a, expanded l b with Some p, Some q => Some (pmul p q) | _, _ => None end
  | Pow a (Zpos k) => match expanded l a with Some p => Some (ppow p k) | None => None end
  | Pow _ Z0 => Some pone
  | _ =>
      match place t l 1 with
      | Some k => if same (BinList.nth (Num 0 1) k l) t then Some (pvar k) else None
      | None => None
      end
  end.

Lemma expanded_ok e l t p : expanded l t = Some p -> peval (map (ev e) l) p = ev e t.
Proof.
  assert (A : forall t p, match place t l 1 with
      | Some k => if same (BinList.nth (Num 0 1) k l) t then Some (pvar k) else None | None => None end = Some p ->
      peval (map (ev e) l) p = ev e t).
  { intros s q H. run. apply same_ok in Heqb. rewrite pvar_ok, nth_map, Heqb. reflexivity. }
  revert p. induction t; intros r H; try (exact (A _ _ H)); simpl in H.
  - run. rewrite pconst_ok, <- number_ok. reflexivity.
  - run. rewrite padd_ok. simpl. rewrite (IHt1 _ eq_refl), (IHt2 _ eq_refl). reflexivity.
  - run. rewrite pmul_ok. simpl. rewrite (IHt1 _ eq_refl), (IHt2 _ eq_refl). reflexivity.
  - destruct k.
    + run. rewrite pone_ok. reflexivity.
    + destruct (expanded l t) as [q|]; [|discriminate H]. run. cbn [ev]. rewrite ppow_ok, power_pos, (IHt _ eq_refl). reflexivity.
    + exact (A _ _ H).
Qed.

Definition alike (s t : formula) : bool :=
  let l := atoms s ++ atoms t in
  match expanded l s, expanded l t with Some p, Some q => peq p q | _, _ => false end.

Lemma alike_ok e s t : alike s t = true -> ev e s = ev e t.
Proof.
  unfold alike. intros H. destruct (expanded _ s) eqn:S; [|discriminate H]. destruct (expanded _ t) eqn:T; [|discriminate H].
  rewrite <- (expanded_ok e _ _ _ S), <- (expanded_ok e _ _ _ T). apply peq_ok. exact H.
Qed.

(* --- one letter more, at the end ------------------------------------------------------------------------------------- *)

Fixpoint occurs (n : nat) (t : formula) : bool :=
  match t with
  | Var i => Nat.eqb i n
  | Num _ _ | Pi => false
  | Add a b | Mul a b | Exponential a b => occurs n a || occurs n b
  | Pow a _ | Root a _ | Fun _ a => occurs n a
  end.

Fixpoint put (n : nat) (value t : formula) : formula :=
  match t with
  | Var i => if Nat.eqb i n then value else t
  | Num _ _ | Pi => t
  | Add a b => Add (put n value a) (put n value b)
  | Mul a b => Mul (put n value a) (put n value b)
  | Exponential a b => Exponential (put n value a) (put n value b)
  | Pow a k => Pow (put n value a) k
  | Root a k => Root (put n value a) k
  | Fun f a => Fun f (put n value a)
  end.

Lemma nth_last e (x : R) i : nth i (e ++ [x]) 0 = if Nat.eqb i (length e) then x else nth i e 0.
Proof.
  destruct (Nat.eqb_spec i (length e)) as [->|N].
  - rewrite app_nth2 by lia. replace (length e - length e)%nat with O by lia. reflexivity.
  - destruct (Nat.lt_ge_cases i (length e)) as [L|L]; [apply app_nth1; exact L|].
    rewrite app_nth2 by lia. rewrite (nth_overflow e) by lia.
    destruct (i - length e)%nat as [|k] eqn:K; [lia|]. simpl. destruct k; reflexivity.
Qed.

Lemma put_ok e v t : ev e (put (length e) v t) = ev (e ++ [ev e v]) t.
Proof.
  induction t; simpl; try congruence. rewrite nth_last. destruct (Nat.eqb i (length e)); reflexivity.
Qed.

Lemma occurs_ok e t x y : occurs (length e) t = false -> ev (e ++ [x]) t = ev (e ++ [y]) t.
Proof.
  induction t; simpl; intros H; try congruence; try (apply orb_false_iff in H; destruct H; rewrite IHt1, IHt2; trivial);
    try (rewrite IHt; trivial).
  rewrite !nth_last. rewrite H. reflexivity.
Qed.

(* --- derivatives --------------------------------------------------------------------------------------------------------- *)

Definition inside_arc (a : formula) : formula := Add (Num 1 1) (Mul (Num (-1) 1) (Pow a 2)).

Definition outer (f : func) (a : formula) : formula :=
  match f with
  | Exp => Fun Exp a
  | Log => Pow a (-1)
  | Sinh => Fun Cosh a
  | Cosh => Fun Sinh a
  | Tanh => Add (Num 1 1) (Mul (Num (-1) 1) (Pow (Fun Tanh a) 2))
  | Sin => Fun Cos a
  | Cos => Mul (Num (-1) 1) (Fun Sin a)
  | Atan => Pow (Add (Num 1 1) (Pow a 2)) (-1)
  | Asin => Root (inside_arc a) (-1)
  | Abs => Num 0 1
  end.

Fixpoint derivative (n : nat) (t : formula) : formula :=
  if occurs n t then
    match t with
    | Var _ => Num 1 1
    | Add a b => Add (derivative n a) (derivative n b)
    | Mul a b => Add (Mul (derivative n a) b) (Mul a (derivative n b))
    | Pow a k => Mul (Mul (Num k 1) (Pow a (k - 1))) (derivative n a)
    | Root a k => Mul (Mul (Num k 2) (Root a (k - 2))) (derivative n a)
    | Fun f a => Mul (outer f a) (derivative n a)
    | _ => t
    end
  else Num 0 1.

(* what must hold for a formula to have a derivative; None where none is known here *)
Fixpoint asked (n : nat) (t : formula) : option (list (rel * formula)) :=
  if occurs n t then
    match t with
    | Var _ => Some []
    | Add a b | Mul a b => match asked n a, asked n b with Some l, Some m => Some (l ++ m) | _, _ => None end
    | Pow a (Zpos _) => asked n a
    | Pow a _ => match asked n a with Some l => Some ((Ne0, a) :: l) | None => None end
    | Root a _ => match asked n a with Some l => Some ((Gt0, a) :: l) | None => None end
    | Fun Log a => match asked n a with Some l => Some ((Gt0, a) :: l) | None => None end
    | Fun Asin a => match asked n a with Some l => Some ((Gt0, inside_arc a) :: l) | None => None end
    | Fun Abs _ | Exponential _ _ => None
    | Fun _ a => asked n a
    | _ => None
    end
  else Some [].

Fixpoint met (e : list R) (l : list (rel * formula)) : Prop :=
  match l with [] => True | (r, a) :: l => compare r (ev e a) 0 /\ met e l end.

Lemma met_app e l m : met e (l ++ m) <-> met e l /\ met e m.
Proof. induction l as [|[r a] l IH]; simpl; [tauto | rewrite IH; tauto]. Qed.

Lemma power_is x k : power x k = powerRZ x k.
Proof. destruct k; [reflexivity | apply power_pos | apply power_neg]. Qed.

Lemma derive_power y k : y <> 0 \/ (0 < k)%Z -> is_derive (fun y => power y k) y (IZR k * power y (k - 1)).
Proof.
  intros H. destruct k as [|p|p].
  - simpl. rewrite Rmult_0_l. apply (is_derive_const 1).
  - apply (is_derive_ext (fun y => y ^ Pos.to_nat p)); [intros t; symmetry; apply power_pos|].
    evar_last; [apply is_derive_pow, is_derive_id|]. change (@one R_AbsRing) with 1.
    assert (E : IZR (Zpos p) = INR (Pos.to_nat p)) by (rewrite INR_IPR; reflexivity). rewrite E, Rmult_1_r. f_equal.
    destruct (Pos.eq_dec p 1) as [->|N]; [reflexivity|].
    replace (Zpos p - 1)%Z with (Zpos (Pos.pred p)) by lia. rewrite power_pos. f_equal. lia.
  - destruct H as [H|H]; [|lia].
    apply (is_derive_ext (fun y => / (y ^ Pos.to_nat p))); [intros t; symmetry; apply power_neg|].
    evar_last; [apply is_derive_inv; [apply is_derive_pow, is_derive_id | apply pow_nonzero; exact H]|].
    change (@one R_AbsRing) with 1. replace (Zneg p - 1)%Z with (Zneg (Pos.succ p)) by lia. rewrite power_neg.
    change (IZR (Zneg p)) with (- IPR p). rewrite <- INR_IPR, Pos2Nat.inj_succ.
    destruct (Pos.to_nat p) as [|m] eqn:M; [lia|]. simpl pred. simpl pow.
    assert (y ^ m <> 0) by (apply pow_nonzero; exact H). field. split; assumption.
Qed.

Lemma derive_root y k : 0 < y -> is_derive (fun y => power (sqrt y) k) y (number k 2 * power (sqrt y) (k - 2)).
Proof.
  intros H. assert (P := sqrt_lt_R0 y H). evar_last.
  - apply (is_derive_comp (fun r => power r k) sqrt).
    + apply derive_power. left. lra.
    + apply is_derive_sqrt; [apply is_derive_id | exact H].
  - change (@one R_AbsRing) with 1. unfold scal; simpl; unfold mult; simpl. unfold number.
    rewrite !power_is. replace (k - 1)%Z with ((k - 2) + 1)%Z by lia. rewrite powerRZ_add by lra. simpl. field. lra.
Qed.

Lemma derive_outer f y : match f with Log => 0 < y | Asin => -1 < y < 1 | Abs => False | _ => True end ->
  is_derive (apply f) y (ev [y] (outer f (Var 0))).
Proof.
  destruct f; intros H; try contradiction H; simpl; unfold number.
  - auto_derive; [exact I | ring].
  - auto_derive; [exact H | field; lra].
  - unfold sinh, cosh. auto_derive; [exact I | field].
  - unfold sinh, cosh. auto_derive; [exact I | field].
  - assert (C := cosh_gt y). unfold tanh, sinh, cosh in *. auto_derive; [lra | field; lra].
  - auto_derive; [exact I | ring].
  - auto_derive; [exact I | ring].
  - evar_last; [apply is_derive_Reals; exact (derive_pt_eq_1 asin y _ (derivable_pt_asin y H) (derive_pt_asin y H))|]. unfold Rsqr.
    replace (1 - y * y) with (1 + -1 * (y * (y * 1))) by ring. unfold Rdiv. ring.
  - evar_last; [apply is_derive_Reals, derivable_pt_lim_atan|]. unfold Rsqr. field. nra.
Qed.

Lemma outer_ok e f a : ev e (outer f a) = ev [ev e a] (outer f (Var 0)).
Proof. destruct f; reflexivity. Qed.

Lemma derivative_still n t : occurs n t = false -> derivative n t = Num 0 1.
Proof. intros O. destruct t; cbn [derivative]; rewrite O; reflexivity. Qed.

Lemma derive_still e x t : occurs (length e) t = false -> is_derive (fun s => ev (e ++ [s]) t) x (ev (e ++ [x]) (Num 0 1)).
Proof.
  intros O. apply (is_derive_ext (fun _ => ev (e ++ [x]) t)); [intros s; apply occurs_ok; exact O|].
  apply (is_derive_const (ev (e ++ [x]) t)).
Qed.

Theorem derivative_ok e x t l : asked (length e) t = Some l -> met (e ++ [x]) l ->
  is_derive (fun s => ev (e ++ [s]) t) x (ev (e ++ [x]) (derivative (length e) t)).
Proof.
  revert l. induction t; intros l A M;
    match goal with |- is_derive (fun s => ev (e ++ [s]) ?t) _ _ => destruct (occurs (length e) t) eqn:O end;
    try (rewrite (derivative_still _ _ O); exact (derive_still e x _ O));
    cbn [asked derivative] in *; rewrite O in A |- *; try discriminate A; try discriminate O.
  - cbn [ev occurs] in *. apply (is_derive_ext (fun s => s)); [intros s; rewrite nth_last, O; reflexivity|].
    unfold number. apply (is_derive_id x).
  - run. apply met_app in M. destruct M. apply (is_derive_plus (fun s => ev (e ++ [s]) t1)); eauto.
  - run. apply met_app in M. destruct M. cbn [ev].
    apply (is_derive_mult (fun s => ev (e ++ [s]) t1) (fun s => ev (e ++ [s]) t2)); eauto. intros; apply Rmult_comm.
  - assert (K : exists m, asked (length e) t = Some m /\ met (e ++ [x]) m /\ (ev (e ++ [x]) t <> 0 \/ (0 < k)%Z)).
    { destruct k; destruct (asked (length e) t); try discriminate A; run; eexists; (split; [reflexivity|]); simpl in M;
        first [split; [tauto | right; lia] | tauto]. }
    destruct K as [m [B [C D]]]. cbn [ev].
    evar_last; [apply (is_derive_comp (fun y => power y k) (fun s => ev (e ++ [s]) t));
      [apply derive_power; exact D | eapply IHt; eassumption]|].
    unfold scal; simpl; unfold mult; simpl. ring.
  - destruct (asked (length e) t) as [m|]; [|discriminate A]. run. destruct M as [N M]. cbn [ev].
    evar_last; [apply (is_derive_comp (fun y => power (sqrt y) k) (fun s => ev (e ++ [s]) t));
      [apply derive_root; exact N | eapply IHt; [reflexivity | eassumption]]|].
    unfold scal; simpl; unfold mult; simpl. ring.
  - assert (K : exists m, asked (length e) t = Some m /\ met (e ++ [x]) m /\
      match f with
      | Log => 0 < ev (e ++ [x]) t | Asin => -1 < ev (e ++ [x]) t < 1 | Abs => False | _ => True end).
    { destruct f; try discriminate A; try (exists l; repeat split; assumption).
      all: destruct (asked (length e) t); [|discriminate A]; run; simpl in M; destruct M as [N M].
      - eexists. split; [reflexivity | tauto].
      - eexists. split; [reflexivity|]. split; [exact M|]. unfold number in N. nra. }
    destruct K as [m [B [C D]]]. cbn [ev].
    evar_last; [apply (is_derive_comp (apply f) (fun s => ev (e ++ [s]) t));
      [apply derive_outer; exact D | eapply IHt; eassumption]|].
    unfold scal; simpl; unfold mult; simpl. rewrite (outer_ok (e ++ [x]) f t). ring.
Qed.

(* what must hold, among what is known *)
Definition provided (known : list relation) (l : list (rel * formula)) : bool :=
  forallb (fun c : rel * formula => let '(r, a) := c in is_so known r a) l.

Lemma provided_ok e known l : all_valid e known -> provided known l = true ->
  forall r a, In (r, a) l -> compare r (ev e a) 0.
Proof.
  intros V H r a I. unfold provided in H. rewrite forallb_forall in H. specialize (H _ I). simpl in H.
  exact (is_so_ok e known V r a H).
Qed.

(* a derivative at a point is the formula that stands for it *)
Definition differentiates (n : nat) (known : list relation) (body point value : formula) : bool :=
  match asked n body with
  | Some l => provided known (map (fun c : rel * formula => (fst c, prepared (put n point (snd c)))) l)
      && alike (put n point (derivative n body)) value
  | None => false
  end.

Theorem derived e known body point value :
  all_valid e known -> differentiates (length e) (map prepare known) body point value = true ->
  Derive (fun s => ev (e ++ [s]) body) (ev e point) = ev e value.
Proof.
  intros V H. unfold differentiates in H. destruct (asked (length e) body) as [l|] eqn:A; [|discriminate H].
  apply andb_prop in H. destruct H as [P K]. rewrite <- (alike_ok e _ _ K), put_ok. apply is_derive_unique.
  apply (derivative_ok e (ev e point) body l A).
  assert (Q := provided_ok e (map prepare known) _ (prepare_ok e known V) P). clear - Q.
  induction l as [|[r a] l IH]; simpl; [exact I|]. split.
  - rewrite <- put_ok, <- prepared_ok. apply Q. left. reflexivity.
  - apply IH. intros s b J. apply Q. right. exact J.
Qed.

(* letters at the end that stand for formulas *)
Fixpoint put_all (n : nat) (values : list formula) (t : formula) : formula :=
  match t with
  | Var i => if Nat.ltb i n then t else nth (i - n) values t
  | Num _ _ | Pi => t
  | Add a b => Add (put_all n values a) (put_all n values b)
  | Mul a b => Mul (put_all n values a) (put_all n values b)
  | Exponential a b => Exponential (put_all n values a) (put_all n values b)
  | Pow a k => Pow (put_all n values a) k
  | Root a k => Root (put_all n values a) k
  | Fun f a => Fun f (put_all n values a)
  end.

Lemma put_all_ok e values t : ev e (put_all (length e) values t) = ev (e ++ map (ev e) values) t.
Proof.
  induction t; simpl; try congruence. destruct (Nat.ltb_spec i (length e)) as [L|L].
  - rewrite app_nth1 by exact L. reflexivity.
  - rewrite app_nth2 by exact L. destruct (Nat.lt_ge_cases (i - length e) (length values)) as [K|K].
    + rewrite (nth_indep _ 0 (ev e (Var i))) by (rewrite map_length; exact K). rewrite map_nth. reflexivity.
    + rewrite (nth_overflow values) by exact K. rewrite (nth_overflow (map _ _)) by (rewrite map_length; exact K).
      simpl. apply nth_overflow. exact L.
Qed.

(* a side in which letters stand for derivatives *)
Theorem stands_for e values shape whole ds :
  ds = map (ev e) values -> same (put_all (length e) values shape) whole = true -> ev (e ++ ds) shape = ev e whole.
Proof. intros -> H. rewrite <- (same_ok _ _ H), put_all_ok. reflexivity. Qed.

(* --- statements in which derivatives stand ---------------------------------------------------------------------------- *)

Record rate := { body : formula; point : formula; slope : formula }.
Definition rates (e : list R) (l : list rate) : list R :=
  map (fun d => Derive (fun s => ev (e ++ [s]) (body d)) (ev e (point d))) l.

Definition right_rates (n : nat) (known : list relation) (l : list rate) (shape whole : formula) : bool :=
  forallb (fun d => differentiates n (map prepare known) (body d) (point d) (slope d)) l
  && same (put_all n (map slope l) shape) whole.

Theorem with_rates e known l shape whole :
  all_valid e known -> right_rates (length e) known l shape whole = true -> ev (e ++ rates e l) shape = ev e whole.
Proof.
  intros V H. apply andb_prop in H. destruct H as [D S]. apply (stands_for e (map slope l)); [|exact S].
  clear S. induction l as [|d l IH]; [reflexivity|]. simpl in *. apply andb_prop in D. destruct D as [D E].
  rewrite (derived e known _ _ _ V D), IH by exact E. reflexivity.
Qed.

Theorem confirm_rates e known gens hs steps times items r l shape shape' a b :
  all_valid e known ->
  proves (map prepare known) gens hs steps times items r (prepared a) (prepared b) = true ->
  right_rates (length e) known l shape a = true -> right_rates (length e) known l shape' b = true ->
  compare r (ev (e ++ rates e l) shape) (ev (e ++ rates e l) shape').
Proof.
  intros V P A B. rewrite (with_rates _ _ _ _ _ V A), (with_rates _ _ _ _ _ V B).
  exact (confirm e known gens hs steps times items r a b V P).
Qed.
